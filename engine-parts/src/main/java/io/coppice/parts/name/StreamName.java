package io.coppice.parts.name;

import io.coppice.base.check.Check;

/**
 * The name of one stream of a column, built along the column's type. It is what
 * columns_substreams.txt lists and, if not too long, what the stream's files are called.
 *
 * <pre>
 *   column c of any type        c
 *   element e of a Tuple        c%2Ee
 *   null map                    c.null
 *   sizes of arrays, level n    c.sizen        of Nested t.c, level 0: t.size0
 *   sizes of strings            c.size
 *   dictionary                  c.dict         in Compact parts also c.dict_prefix
 *   where sparse values lie     c.sparse.idx
 * </pre>
 *
 * @param text escaped
 */
public record StreamName(String text) {
  public StreamName {
    Check.argument(!text.isEmpty(), "an empty stream name");
  }

  /** The stream of the values of {@code column}. */
  public static StreamName ofColumn(String column) {
    return new StreamName(FileNames.escape(column));
  }

  /** Element {@code element} of a Tuple; keys and values of a Map are elements of those names. */
  public StreamName tupleElement(String element) {
    return new StreamName(text + "%2E" + FileNames.escape(element));
  }

  /** One byte per row: 1 where it is NULL. */
  public StreamName nullMap() {
    return with(".null");
  }

  /** How many elements the arrays have; {@code level} 0 is the outermost. */
  public StreamName arraySizes(int level) {
    return with(".size" + level);
  }

  /** How many bytes the strings have, where they are not stored with them. */
  public StreamName stringSizes() {
    return with(".size");
  }

  /** Keys of LowCardinality. */
  public StreamName dictionary() {
    return with(".dict");
  }

  /** Version of the keys of LowCardinality, in Compact parts. */
  public StreamName dictionaryPrefix() {
    return with(".dict_prefix");
  }

  /** How many defaults lie before each stored value. */
  public StreamName sparseOffsets() {
    return with(".sparse.idx");
  }

  private StreamName with(String suffix) {
    return new StreamName(text + suffix);
  }

  /** The stream of the sizes of the outermost arrays, which the columns of a Nested share. */
  public static StreamName sharedSizes(String column) {
    int dot = column.indexOf('.');
    return ofColumn(dot <= 0 ? column : column.substring(0, dot)).arraySizes(0);
  }

  /** What the stream's files are called, without extension; see {@link FileNames#ofStream}. */
  public String fileName(int lengthLimit) {
    return FileNames.ofStream(text, lengthLimit);
  }

  @Override
  public String toString() {
    return text;
  }
}
