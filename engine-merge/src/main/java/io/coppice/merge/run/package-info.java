/** Merging parts: rows of several sorted parts as one. */
package io.coppice.merge.run;
