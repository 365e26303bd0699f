package io.coppice.language.statement;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A column of a CREATE TABLE.
 *
 * @param type absent only where a default says it
 * @param codecs in the order they are applied
 * @param settings of this column, in the order written
 */
public record Column(
    String name,
    Optional<DataType> type,
    Optional<Default> defaults,
    Optional<String> comment,
    List<Definition> codecs,
    List<Definition> statistics,
    Optional<Expression> ttl,
    Map<String, Literal> settings) {

  public Column {
    codecs = List.copyOf(codecs);
    statistics = List.copyOf(statistics);
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  /** Where the value comes from when it is not given. */
  public enum DefaultKind {
    /** Filled if absent. */
    DEFAULT,
    /** Always computed and stored. */
    MATERIALIZED,
    /** Computed when read, never stored. */
    ALIAS,
    /** Given on INSERT for other defaults to use, never stored. */
    EPHEMERAL
  }

  /** A default; only an ephemeral column may have none after the word. */
  public record Default(DefaultKind kind, Optional<Expression> expression) {}

  /** The default's kind, DEFAULT when there is no default at all. */
  public DefaultKind kind() {
    return defaults.map(Default::kind).orElse(DefaultKind.DEFAULT);
  }

  /** The same with another type. */
  public Column with(DataType newType) {
    return new Column(
        name, Optional.of(newType), defaults, comment, codecs, statistics, ttl, settings);
  }
}
