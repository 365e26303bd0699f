/** Which parts of a table to merge next; pure functions of what there is. */
package io.coppice.merge.select;
