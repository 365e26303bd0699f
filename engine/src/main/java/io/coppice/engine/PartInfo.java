package io.coppice.engine;

import io.coppice.parts.name.PartName;

/**
 * An active part.
 *
 * @param rows rows in it
 * @param marks granules in it
 * @param compact whether all columns share one file
 * @param sizeBytes bytes of its files
 */
public record PartInfo(PartName name, long rows, int marks, boolean compact, long sizeBytes) {}
