package io.coppice.engine.alter;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Alter;
import io.coppice.language.statement.Alter.Command;
import io.coppice.language.statement.Alter.Place;
import io.coppice.language.statement.Column;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.Element;
import io.coppice.language.type.DataType.NestedType;
import io.coppice.language.type.DataType.NullableType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The commands about columns, carried out on a draft. Confined to one thread. */
final class ColumnCommands {
  private static final Set<String> RESERVED =
      Set.of("_row_exists", "_block_number", "_block_offset");

  private final Draft draft;
  private final AlterRules rules;

  ColumnCommands(Draft draft, AlterRules rules) {
    this.draft = draft;
    this.rules = rules;
  }

  /** Carries a command out if it is about a column; says whether it is. */
  boolean apply(Command command) {
    if (command instanceof Alter.AddColumn add) {
      add(add);
    } else if (command instanceof Alter.ModifyColumn modify) {
      modify(modify);
    } else if (command instanceof Alter.RemoveProperty remove) {
      remove(remove);
    } else if (command instanceof Alter.ModifyColumnSetting modify) {
      find(modify.column(), "modify", modify.ifExists())
          .ifPresent(
              at -> {
                Map<String, Literal> settings =
                    new LinkedHashMap<>(draft.columns.get(at).settings());
                settings.putAll(modify.settings());
                settings(at, settings);
              });
    } else if (command instanceof Alter.ResetColumnSetting reset) {
      find(reset.column(), "modify", reset.ifExists())
          .ifPresent(
              at -> {
                Map<String, Literal> settings =
                    new LinkedHashMap<>(draft.columns.get(at).settings());
                settings.keySet().removeAll(reset.names());
                settings(at, settings);
              });
    } else if (command instanceof Alter.RenameColumn rename) {
      rename(rename);
    } else if (command instanceof Alter.CommentColumn comment) {
      find(comment.column(), "comment", comment.ifExists())
          .ifPresent(
              at -> {
                Column c = draft.columns.get(at);
                Optional<String> text = Optional.of(comment.comment()).filter(t -> !t.isEmpty());
                draft.columns.set(
                    at,
                    new Column(
                        c.name(),
                        c.type(),
                        c.defaults(),
                        text,
                        c.codecs(),
                        c.statistics(),
                        c.ttl(),
                        c.settings()));
              });
    } else if (command instanceof Alter.DropElement drop
        && drop.element() == Alter.Element.COLUMN) {
      drop(drop);
    } else if (command instanceof Alter.ClearElement clear
        && clear.element() == Alter.Element.COLUMN) {
      if (!draft.hasNested(clear.name()) || draft.at(clear.name()).isPresent()) {
        find(clear.name(), "drop", clear.ifExists());
      }
    } else {
      return false;
    }
    return true;
  }

  private void settings(int at, Map<String, Literal> settings) {
    Column c = draft.columns.get(at);
    draft.columns.set(
        at,
        new Column(
            c.name(),
            c.type(),
            c.defaults(),
            c.comment(),
            c.codecs(),
            c.statistics(),
            c.ttl(),
            settings));
  }

  private Optional<Integer> find(String column, String what, boolean ifExists) {
    if (draft.at(column).isPresent()) {
      return Optional.of(draft.at(column).getAsInt());
    }
    if (ifExists) {
      return Optional.empty();
    }
    throw EngineException.of(
        ErrorCode.NOT_FOUND_COLUMN_IN_BLOCK,
        "there is no column %s to %s; there are %s",
        column,
        what,
        String.join(", ", draft.columns.stream().map(Column::name).toList()));
  }

  private void refuseTaken(String name, String what) {
    if (draft.at(name).isPresent() || draft.hasNested(name)) {
      throw EngineException.of(
          ErrorCode.DUPLICATE_COLUMN, "can't %s column %s: it is there already", what, name);
    }
    if (RESERVED.contains(name)) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_COLUMN,
          "can't %s column %s: MergeTree keeps the name for itself",
          what,
          name);
    }
  }

  private void add(Alter.AddColumn add) {
    Column column = add.column();
    boolean taken = draft.at(column.name()).isPresent() || draft.hasNested(column.name());
    if (taken && add.ifNotExists()) {
      return;
    }
    refuseTaken(column.name(), "add");
    if (column.type().isEmpty()) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS, "column %s is to be added and has no type", column.name());
    }
    List<Column> added = new ArrayList<>();
    if (column.type().get() instanceof NestedType nested) {
      for (Element element : nested.elements()) {
        String name = column.name() + "." + element.name().orElseThrow();
        refuseTaken(name, "add");
        added.add(
            new Column(
                name,
                Optional.of(new ArrayType(element.type())),
                column.defaults(),
                column.comment(),
                column.codecs(),
                column.statistics(),
                column.ttl(),
                column.settings()));
      }
    } else {
      added.add(CodecTexts.complete(column));
    }
    draft.columns.addAll(place(add.place(), draft.columns.size()), added);
    rules.added(added);
  }

  private int place(Optional<Place> place, int otherwise) {
    if (place.isEmpty()) {
      return otherwise;
    }
    if (!(place.get() instanceof Place.After after)) {
      return 0;
    }
    int found = -1;
    for (int i = 0; i < draft.columns.size(); i++) {
      Column column = draft.columns.get(i);
      if (column.name().equals(after.name()) || Draft.nested(after.name(), column)) {
        found = i;
      }
    }
    if (found < 0) {
      throw EngineException.of(
          ErrorCode.NO_SUCH_COLUMN_IN_TABLE,
          "there is no column %s to put another behind",
          after.name());
    }
    return found + 1;
  }

  /** The type that MODIFY COLUMN says, with what NULL behind it makes of it. */
  static Optional<DataType> typeOf(Alter.ModifyColumn modify) {
    if (modify.column().type().isEmpty() && modify.nullability().isPresent()) {
      throw EngineException.of(ErrorCode.SYNTAX_ERROR, "NULL and NOT NULL need a type before them");
    }
    return modify
        .column()
        .type()
        .map(
            type ->
                modify.nullability().orElse(false) && !type.nullable()
                    ? new NullableType(type)
                    : type);
  }

  private void modify(Alter.ModifyColumn modify) {
    Column said = modify.column();
    Optional<Integer> at = find(said.name(), "modify", modify.ifExists());
    if (at.isEmpty()) {
      return;
    }
    Column old = draft.columns.get(at.get());
    Optional<DataType> type = typeOf(modify);
    rules.checkType(old, type, said);
    Column changed =
        new Column(
            old.name(),
            type.or(old::type),
            said.defaults().or(old::defaults),
            said.comment().or(old::comment).filter(text -> !text.isEmpty()),
            said.codecs().isEmpty() ? old.codecs() : said.codecs(),
            said.statistics().isEmpty() ? old.statistics() : said.statistics(),
            said.ttl().or(old::ttl),
            said.settings().isEmpty() ? old.settings() : said.settings());
    if (!said.codecs().isEmpty()) {
      changed = CodecTexts.complete(changed);
    }
    if (modify.place().isEmpty()) {
      draft.columns.set(at.get(), changed);
      return;
    }
    place(modify.place(), 0); // before it is taken out: AFTER itself is fine
    draft.columns.remove((int) at.get());
    boolean afterItself =
        modify.place().get() instanceof Place.After after && after.name().equals(old.name());
    draft.columns.add(afterItself ? at.get() : place(modify.place(), 0), changed);
  }

  private void remove(Alter.RemoveProperty remove) {
    Optional<Integer> at = find(remove.column(), "modify", remove.ifExists());
    if (at.isEmpty()) {
      return;
    }
    Column c = draft.columns.get(at.get());
    Alter.Property property = remove.property();
    boolean has =
        switch (property) {
          case DEFAULT, MATERIALIZED, ALIAS, EPHEMERAL ->
              c.defaults().filter(d -> d.kind().name().equals(property.name())).isPresent();
          case COMMENT -> c.comment().isPresent();
          case CODEC -> !c.codecs().isEmpty();
          case TTL -> c.ttl().isPresent();
          case SETTINGS -> true;
        };
    if (!has) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "column %s has no %s that could be removed%s",
          c.name(),
          property,
          c.defaults().map(d -> "; it has " + d.kind()).orElse(""));
    }
    boolean value =
        property == Alter.Property.DEFAULT
            || property == Alter.Property.MATERIALIZED
            || property == Alter.Property.ALIAS
            || property == Alter.Property.EPHEMERAL;
    draft.columns.set(
        at.get(),
        new Column(
            c.name(),
            c.type(),
            value ? Optional.empty() : c.defaults(),
            property == Alter.Property.COMMENT ? Optional.empty() : c.comment(),
            property == Alter.Property.CODEC ? List.of() : c.codecs(),
            c.statistics(),
            property == Alter.Property.TTL ? Optional.empty() : c.ttl(),
            property == Alter.Property.SETTINGS ? Map.of() : c.settings()));
  }

  private void rename(Alter.RenameColumn rename) {
    boolean whole = draft.at(rename.from()).isEmpty() && draft.hasNested(rename.from());
    if (whole) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "can't rename the Nested %s as a whole; rename its columns",
          rename.from());
    }
    if (find(rename.from(), "rename", rename.ifExists()).isEmpty()) {
      return;
    }
    refuseTaken(rename.to(), "rename " + rename.from() + " to");
    if (!table(rename.from()).equals(table(rename.to()))) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "can't rename %s to %s: a column of a Nested stays in it, and others stay outside",
          rename.from(),
          rename.to());
    }
    draft.rename(rename.from(), rename.to());
  }

  private static String table(String column) {
    int dot = column.indexOf('.');
    return dot < 0 ? "" : column.substring(0, dot);
  }

  private void drop(Alter.DropElement drop) {
    boolean nested = draft.at(drop.name()).isEmpty() && draft.hasNested(drop.name());
    if (nested) {
      draft.columns.removeIf(c -> Draft.nested(drop.name(), c));
    } else {
      find(drop.name(), "drop", drop.ifExists())
          .ifPresent(
              at -> {
                rules.checkUnused(draft, drop.name());
                draft.columns.remove((int) at);
              });
    }
    if (draft.columns.isEmpty()) {
      throw EngineException.of(ErrorCode.BAD_ARGUMENTS, "can't drop all columns");
    }
  }
}
