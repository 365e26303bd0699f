package io.coppice.parts.write;

import io.coppice.parts.column.Encoding.Substream;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.table.ColumnDefinition;
import java.util.Optional;

/** Which codec chain each stream of a column is compressed with. */
final class ColumnStreams {
  private ColumnStreams() {}

  /**
   * The chain of a stream: the column's, resolved for the type of the values in it, or its general
   * part for sizes and the like; the table's default without a CODEC.
   */
  static CodecChain chain(ColumnDefinition column, Substream stream, CodecChain defaultChain) {
    Optional<String> codec = column.codec();
    if (codec.isEmpty()) {
      return defaultChain;
    }
    CodecChain chain =
        CodecChain.parse(
            codec.get(), stream.service() ? column.type() : stream.type(), defaultChain);
    return stream.service() ? chain.generalPart() : chain;
  }
}
