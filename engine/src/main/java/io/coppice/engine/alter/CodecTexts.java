package io.coppice.engine.alter;

import io.coppice.base.error.EngineException;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Column;
import io.coppice.language.statement.Definition;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.parts.compress.CodecChain;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Codecs with the arguments that ClickHouse adds when it writes a definition down: {@code Delta} of
 * an Int64 is {@code Delta(8)}, {@code ZSTD} is {@code ZSTD(1)}. Stateless.
 */
public final class CodecTexts {
  private static final Pattern WITH_NUMBER = Pattern.compile("\\w+\\(([0-9]+)\\)");

  private CodecTexts() {}

  /** The column with its codecs said completely; as it is where they are not understood. */
  public static Column complete(Column column) {
    if (column.codecs().isEmpty() || column.type().isEmpty()) {
      return column;
    }
    DataType type = value(column.type().get());
    List<Definition> codecs = column.codecs().stream().map(c -> complete(c, type)).toList();
    return new Column(
        column.name(),
        column.type(),
        column.defaults(),
        column.comment(),
        codecs,
        column.statistics(),
        column.ttl(),
        column.settings());
  }

  private static Definition complete(Definition codec, DataType type) {
    if (!codec.arguments().isEmpty() || codec.name().equals("Default")) {
      return codec;
    }
    Optional<String> text = text(codec, type);
    Matcher number = WITH_NUMBER.matcher(text.orElse(""));
    return number.matches()
        ? new Definition(
            codec.name(), List.of(Literal.IntegerLiteral.of(Long.parseLong(number.group(1)))))
        : codec;
  }

  private static Optional<String> text(Definition codec, DataType type) {
    try {
      return Optional.of(
          CodecChain.parse(codec.text(), type, CodecChain.LZ4).codecs().get(0).text());
    } catch (EngineException e) {
      return Optional.empty(); // said where the definition is checked
    }
  }

  private static DataType value(DataType given) {
    DataType type = given.storage();
    if (type instanceof NullableType nullable) {
      return value(nullable.inner());
    }
    if (type instanceof ArrayType array) {
      return value(array.element());
    }
    if (type instanceof TupleType tuple && !tuple.elements().isEmpty()) {
      return value(tuple.elements().get(0).type());
    }
    if (type instanceof MapType map) {
      return value(map.key());
    }
    return type;
  }
}
