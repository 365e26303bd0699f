package io.coppice.parts.create;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.OpaqueType;
import io.coppice.language.type.DataType.SimpleAggregateType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What ClickHouse asks of sorting, partition and sampling keys. */
final class KeyRules {
  private final CreateTable create;
  private final TableDefinition table;
  private final ExpressionCompiler compiler;

  /**
   * @param compiler over all columns of the table
   */
  KeyRules(CreateTable create, TableDefinition table, ExpressionCompiler compiler) {
    this.create = create;
    this.table = table;
    this.compiler = compiler.forKeys();
  }

  void check() {
    List<TypedExpression> sorting = key("sorting key", table.sortingKey());
    Set<String> texts = new HashSet<>();
    for (TypedExpression element : sorting) {
      if (!texts.add(element.text())
          && !TypeRules.allowed(create.settings(), "allow_suspicious_indices")) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS, "the sorting key has %s twice", element.text());
      }
    }
    List<TypedExpression> partition = key("partition key", table.partitionKey());
    for (TypedExpression element : partition) {
      if (floating(element.type())
          && table.settings().profile() == Profile.MODERN
          && !table.settings().allowFloatPartitionKey()) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS,
            "the partition key %s is a floating point number; set"
                + " allow_floating_point_partition_key = 1 to have it",
            element.text());
      }
    }
    if (create.sampleBy().isPresent()) {
      sampling(create.sampleBy().get());
    }
  }

  private void comparable(String role, Expression element, TypedExpression compiled) {
    if (compiled.type() instanceof OpaqueType
        || compiled instanceof TypedExpression.ColumnReference c
            && table.column(c.name()).orElseThrow().type() instanceof SimpleAggregateType) {
      throw EngineException.of(
          ErrorCode.DATA_TYPE_CANNOT_BE_USED_IN_KEY,
          "the %s has the element %s of type %s, which is not for keys",
          role,
          element.text(),
          compiled.type().text());
    }
  }

  /** Only whether the keys can be made. */
  void compile() {
    List<Expression> elements = new ArrayList<>(table.partitionKey());
    elements.addAll(table.sortingKey());
    create.sampleBy().ifPresent(elements::add);
    for (Expression element : elements) {
      Set<String> names = new TreeSet<>();
      element.collectNames(names);
      for (String name : names) {
        if (table.column(name).isEmpty()) {
          part(name);
        }
      }
      CreateCheck.compiled(compiler, element, "key").ifPresent(c -> comparable("key", element, c));
    }
  }

  /** What is no column must be a part of one. */
  private void part(String name) {
    try {
      compiler.compile(new Expression.Identifier(List.of(name.split("\\."))));
    } catch (EngineException e) {
      throw new EngineException(
          ErrorCode.UNKNOWN_IDENTIFIER, "a key has " + name + ", which no column has any more", e);
    }
  }

  private List<TypedExpression> key(String role, List<Expression> elements) {
    List<TypedExpression> compiled = new ArrayList<>();
    for (Expression element : elements) {
      Optional<TypedExpression> one = CreateCheck.compiled(compiler, element, role);
      if (one.isEmpty()) {
        continue;
      }
      DataType type = one.get().type();
      if (one.get().constantValue().isPresent()) {
        throw EngineException.of(
            ErrorCode.ILLEGAL_COLUMN,
            "the %s has the constant %s; a key is of columns",
            role,
            element.text());
      }
      for (String column : one.get().columns()) {
        if (!table.column(column).orElseThrow().stored()) {
          throw EngineException.of(
              ErrorCode.UNKNOWN_IDENTIFIER,
              "the %s uses column %s, which is %s and not stored",
              role,
              column,
              table.column(column).orElseThrow().defaultKind());
        }
      }
      if (holdsNull(type) && !table.settings().allowNullableKey()) {
        throw EngineException.of(
            ErrorCode.ILLEGAL_COLUMN,
            "the %s has the Nullable element %s; set allow_nullable_key = 1 to have it",
            role,
            element.text());
      }
      comparable(role, element, one.get());
      compiled.add(one.get());
    }
    return compiled;
  }

  private static boolean holdsNull(DataType type) {
    if (type instanceof LowCardinalityType low) {
      return holdsNull(low.inner());
    }
    if (type instanceof ArrayType array) {
      return holdsNull(array.element());
    }
    if (type instanceof TupleType tuple) {
      return tuple.elements().stream().anyMatch(e -> holdsNull(e.type()));
    }
    return type instanceof NullableType;
  }

  private static boolean floating(DataType type) {
    return type instanceof PlainType plain && plain.floating();
  }

  private Set<String> texts(List<Expression> elements) {
    Set<String> texts = new HashSet<>();
    for (Expression element : elements) {
      CreateCheck.compiled(compiler, element, "primary key").ifPresent(e -> texts.add(e.text()));
    }
    return texts;
  }

  private void sampling(Expression sampleBy) {
    Optional<TypedExpression> sample = CreateCheck.compiled(compiler, sampleBy, "SAMPLE BY");
    if (sample.isEmpty()) {
      return;
    }
    Set<String> keys = texts(table.primaryKey());
    boolean inKey =
        keys.contains(sample.get().text()) || keys.containsAll(texts(sampleBy.keyElements()));
    if (!inKey) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "SAMPLE BY %s is not in the primary key; add it there",
          sampleBy.text());
    }
    DataType type = sample.get().type();
    boolean fits =
        type == PlainType.UINT8
            || type == PlainType.UINT16
            || type == PlainType.UINT32
            || type == PlainType.UINT64;
    if (!fits) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_TYPE_OF_COLUMN_FOR_FILTER,
          "SAMPLE BY %s has type %s, expected UInt8, UInt16, UInt32 or UInt64",
          sampleBy.text(),
          type.text());
    }
  }
}
