package io.coppice.parts.write;

import io.coppice.parts.name.PartName;

/**
 * A part that was written and renamed to its name.
 *
 * @param rowCount rows in it
 * @param compact whether it is a Compact part
 * @param markCount marks, final one included
 * @param sizeBytes bytes of all files
 */
public record WrittenPart(
    PartName name, long rowCount, boolean compact, int markCount, long sizeBytes) {}
