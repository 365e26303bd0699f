/**
 * Statements as immutable trees, and their canonical text. Start with {@link
 * io.coppice.language.statement.Statement}. Any thread may use them.
 */
package io.coppice.language.statement;
