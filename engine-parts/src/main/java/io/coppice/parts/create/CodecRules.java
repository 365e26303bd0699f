package io.coppice.parts.create;

import io.coppice.base.error.EngineException;
import io.coppice.language.expression.Literal;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.util.Map;

/** Codecs that ClickHouse does not put on a column. Stateless. */
final class CodecRules {
  private CodecRules() {}

  static void check(TableDefinition table, Map<String, Literal> settings) {
    for (ColumnDefinition column : table.columns()) {
      if (column.codec().isEmpty()) {
        continue;
      }
      try {
        CodecChain.parse(column.codec().get(), column.type(), table.settings().defaultCodec());
      } catch (EngineException e) {
        throw e.within("column " + column.name());
      }
    }
  }
}
