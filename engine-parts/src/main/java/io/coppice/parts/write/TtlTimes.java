package io.coppice.parts.write;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.format.TtlFile;
import io.coppice.parts.format.TtlFile.RuleKind;
import io.coppice.parts.format.TtlFile.Times;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableDefinition.TtlKind;
import io.coppice.parts.table.TableDefinition.TtlRule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** When the rows of a part expire: first and last time of each TTL rule, for ttl.txt. Immutable. */
final class TtlTimes {
  private static final long SECONDS_PER_DAY = 86_400;

  private record Rule(
      TtlRule declared, TypedExpression expression, Optional<TypedExpression> where) {}

  private final List<Rule> rules = new ArrayList<>();

  /** Compiles the rules of a table. */
  TtlTimes(TableDefinition table, ExpressionCompiler compiler) {
    for (TtlRule rule : table.ttl()) {
      TypedExpression expression = compiler.compile(rule.expression());
      DataType type = expression.type();
      if (type != PlainType.DATE
          && type != PlainType.DATE32
          && !(type instanceof DateTimeType)
          && !(type instanceof DateTime64Type)) {
        throw EngineException.of(
            ErrorCode.BAD_TTL_EXPRESSION,
            "table %s: TTL %s has type %s, expected a date or a time",
            table.name(),
            rule.expression().text(),
            type.text());
      }
      rules.add(new Rule(rule, expression, rule.where().map(compiler::compile)));
    }
  }

  /** Seconds since 1970 of every row of a block, per rule, and which rows the rule is for. */
  record Evaluated(List<long[]> seconds, List<Optional<BitSet>> rows) {}

  /** Evaluates the rules over a block, which is borrowed. */
  Evaluated over(List<FieldVector> block, int rows, BufferAllocator allocator) {
    VectorSchemaRoot view =
        new VectorSchemaRoot(block.stream().map(FieldVector::getField).toList(), block, rows);
    List<long[]> all = new ArrayList<>();
    List<Optional<BitSet>> concerned = new ArrayList<>();
    for (Rule rule : rules) {
      FieldVector vector = rule.expression().evaluate(view, allocator);
      try {
        long[] seconds = new long[rows];
        for (int row = 0; row < rows; row++) {
          seconds[row] = seconds(vector, rule.expression().type(), row);
        }
        all.add(seconds);
        concerned.add(rule.where().map(w -> w.filter(view)));
      } finally {
        Vectors.close(List.of(vector));
      }
    }
    return new Evaluated(all, concerned);
  }

  private static long seconds(FieldVector vector, DataType type, int row) {
    if (vector instanceof DateDayVector days) {
      return days.get(row) * SECONDS_PER_DAY;
    }
    if (vector instanceof UInt4Vector seconds) {
      return seconds.get(row) & 0xFFFFFFFFL;
    }
    long ticks =
        vector instanceof BigIntVector big ? big.get(row) : ((TimeStampVector) vector).get(row);
    long perSecond = 1;
    for (int i = 0; i < ((DateTime64Type) type).scale(); i++) {
      perSecond *= 10;
    }
    return Math.floorDiv(ticks, perSecond);
  }

  /** The content of ttl.txt for some rows of a block; empty when there are no rules. */
  Optional<byte[]> file(Evaluated evaluated, int[] rows) {
    Gathered gathered = new Gathered();
    gathered.add(evaluated, rows);
    return gathered.file();
  }

  /** First and last times of the rows of several blocks. */
  final class Gathered {
    private final long[] first = new long[rules.size()];
    private final long[] last = new long[rules.size()];

    Gathered() {
      java.util.Arrays.fill(first, Long.MAX_VALUE);
      java.util.Arrays.fill(last, Long.MIN_VALUE);
    }

    /** Adds some rows of a block. */
    void add(Evaluated evaluated, int[] rows) {
      for (int i = 0; i < first.length; i++) {
        long[] seconds = evaluated.seconds().get(i);
        Optional<BitSet> concerned = evaluated.rows().get(i);
        for (int row : rows) {
          if (concerned.isPresent() && !concerned.get().get(row)) {
            continue;
          }
          first[i] = Math.min(first[i], seconds[row]);
          last[i] = Math.max(last[i], seconds[row]);
        }
      }
    }

    /** The content of ttl.txt; empty when there are no rules. */
    Optional<byte[]> file() {
      if (rules.isEmpty()) {
        return Optional.empty();
      }
      List<TtlFile.Rule> columns = new ArrayList<>();
      Optional<Times> table = Optional.empty();
      Map<RuleKind, List<TtlFile.Rule>> others = new EnumMap<>(RuleKind.class);
      for (int i = 0; i < rules.size(); i++) {
        TtlRule rule = rules.get(i).declared();
        Times times =
            first[i] > last[i] ? new Times(0, 0, false) : new Times(first[i], last[i], false);
        if (rule.kind() == TtlKind.COLUMN) {
          columns.add(new TtlFile.Rule(rule.column(), times));
        } else if (rule.kind() == TtlKind.ROWS) {
          table = Optional.of(times);
        } else {
          others
              .computeIfAbsent(kind(rule.kind()), k -> new ArrayList<>())
              .add(new TtlFile.Rule(rule.expression().text(), times));
        }
      }
      return Optional.of(new TtlFile(columns, table, others).write());
    }
  }

  /** The columns that the rules look at. */
  java.util.Set<String> columns() {
    java.util.Set<String> columns = new java.util.TreeSet<>();
    for (Rule rule : rules) {
      columns.addAll(rule.expression().columns());
      rule.where().ifPresent(w -> columns.addAll(w.columns()));
    }
    return columns;
  }

  private static RuleKind kind(TtlKind kind) {
    return switch (kind) {
      case GROUP_BY -> RuleKind.GROUP_BY;
      case RECOMPRESSION -> RuleKind.RECOMPRESSION;
      case MOVE -> RuleKind.MOVES;
      case ROWS_WHERE -> RuleKind.ROWS_WHERE;
      case COLUMN, ROWS ->
          throw new AssertionError("rules of kind " + kind + " have no expression");
    };
  }
}
