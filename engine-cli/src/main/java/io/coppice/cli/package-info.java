/**
 * The {@code coppice} command: a thin shell over engine-parts. Start with {@link
 * io.coppice.cli.Main}; each command is one class. Commands run on the thread that called them and
 * start threads of their own for scans only.
 */
package io.coppice.cli;
