package io.coppice.parts.create;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Column.DefaultKind;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.Element;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.compress.Codec;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.util.List;
import java.util.Map;

/** Codecs that ClickHouse does not put on a column: unfit for its type, or of no use. Stateless. */
final class CodecRules {
  private CodecRules() {}

  /**
   * Checks the codecs of all columns.
   *
   * @param settings those of the statement, among which may be settings of the query
   */
  static void check(TableDefinition table, Map<String, Literal> settings) {
    boolean anyUse = TypeRules.allowed(settings, "allow_suspicious_codecs");
    for (ColumnDefinition column : table.columns()) {
      if (column.codec().isEmpty()) {
        continue;
      }
      if (column.defaultKind() == DefaultKind.ALIAS) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS,
            "column %s is ALIAS: nothing of it is stored, so it has no codec",
            column.name());
      }
      try {
        check(column.codec().get(), column.type(), table.settings().defaultCodec(), anyUse);
      } catch (EngineException e) {
        throw e.within("column " + column.name() + " " + column.codec().get());
      }
    }
  }

  private static void check(String codec, DataType given, CodecChain defaultChain, boolean anyUse) {
    DataType type = given.storage();
    if (type instanceof TupleType tuple) {
      for (Element element : tuple.elements()) {
        check(codec, element.type(), defaultChain, anyUse);
      }
    } else if (type instanceof MapType map) {
      check(codec, map.key(), defaultChain, anyUse);
      check(codec, map.value(), defaultChain, anyUse);
    } else if (type instanceof ArrayType array) {
      check(codec, array.element(), defaultChain, anyUse);
    } else if (type instanceof NullableType nullable) {
      check(codec, nullable.inner(), defaultChain, anyUse);
    } else if (type instanceof LowCardinalityType low) {
      check(codec, low.inner(), defaultChain, anyUse);
    } else {
      List<Codec> codecs = CodecChain.parse(codec, type, defaultChain).codecs();
      if (!anyUse) {
        refuseUseless(codecs, type);
      }
    }
  }

  private static void refuseUseless(List<Codec> codecs, DataType type) {
    boolean general = false;
    boolean floating = false;
    boolean differences = false;
    boolean compresses = false;
    for (Codec codec : codecs) {
      if (codec instanceof Codec.None && codecs.size() > 1) {
        throw useless("NONE is there with other codecs");
      }
      if (general) {
        throw useless(codec.text() + " comes behind a codec that compresses any bytes");
      }
      boolean ofFloats = codec instanceof Codec.Gorilla || codec instanceof Codec.Fpc;
      if (ofFloats && !(type instanceof PlainType plain && plain.floating())) {
        throw useless(codec.text() + " is for floating point numbers, not for " + type.text());
      }
      boolean subtracts = codec instanceof Codec.Delta || codec instanceof Codec.DoubleDelta;
      if (ofFloats && differences || floating && subtracts) {
        throw useless("codecs of floating point numbers take differences themselves");
      }
      general = codec.general() && !(codec instanceof Codec.None);
      floating |= ofFloats;
      differences |= subtracts;
      compresses |= !(codec instanceof Codec.Delta || codec instanceof Codec.Gcd);
    }
    if (!compresses) {
      throw useless("nothing of it compresses; add LZ4 or ZSTD behind it");
    }
  }

  private static EngineException useless(String why) {
    return EngineException.of(
        ErrorCode.BAD_ARGUMENTS,
        "%s; set allow_suspicious_codecs = 1 to have it all the same",
        why);
  }
}
