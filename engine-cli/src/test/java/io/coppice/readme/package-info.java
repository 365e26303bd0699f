/** What the README shows, compiled and run. */
package io.coppice.readme;
