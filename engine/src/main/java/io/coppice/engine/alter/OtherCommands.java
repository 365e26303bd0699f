package io.coppice.engine.alter;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Alter;
import io.coppice.language.statement.Alter.Command;
import io.coppice.language.statement.Alter.Place;
import io.coppice.language.statement.CreateTable;
import io.coppice.parts.table.TableSettings;
import io.coppice.parts.table.TableSettings.Profile;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The commands about indexes, constraints, keys, settings, TTL. Confined to one thread. */
final class OtherCommands {
  private final Draft draft;
  private final AlterRules rules;
  private final Profile profile;

  OtherCommands(Draft draft, AlterRules rules, Profile profile) {
    this.draft = draft;
    this.rules = rules;
    this.profile = profile;
  }

  void apply(Command command) {
    if (command instanceof Alter.AddIndex add) {
      addIndex(add);
    } else if (command instanceof Alter.AddConstraint add) {
      if (at(draft.constraints, CreateTable.Constraint::name, add.constraint().name()) < 0) {
        draft.constraints.add(add.constraint());
      } else if (!add.ifNotExists()) {
        throw taken("constraint", add.constraint().name());
      }
    } else if (command instanceof Alter.DropElement drop) {
      drop(drop);
    } else if (command instanceof Alter.ModifyOrderBy modify) {
      rules.checkPrimaryKey(draft, modify.key());
      if (draft.primaryKey.isEmpty()) {
        draft.primaryKey = draft.orderBy.map(CreateTable.SortingKey::expression);
      }
      draft.orderBy = Optional.of(modify.key());
    } else if (command instanceof Alter.ModifySampleBy modify) {
      draft.sampleBy = Optional.of(modify.expression());
    } else if (command instanceof Alter.RemoveSampleBy) {
      if (draft.sampleBy.isEmpty()) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS, "there is no SAMPLE BY that could be removed");
      }
      draft.sampleBy = Optional.empty();
    } else if (command instanceof Alter.ModifyTtl modify) {
      draft.ttl = modify.elements();
    } else if (command instanceof Alter.RemoveTtl) {
      if (draft.ttl.isEmpty()) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS, "the table has no TTL that could be removed");
      }
      draft.ttl = List.of();
    } else if (command instanceof Alter.ModifySetting modify) {
      AlterRules.refuseReadOnly(modify.settings().keySet());
      TableSettings.of(modify.settings(), profile);
      modify.settings().forEach(this::set);
    } else if (command instanceof Alter.ResetSetting reset) {
      AlterRules.refuseReadOnly(reset.names());
      reset.names().forEach(this::refuseUnknown);
      draft.settings.keySet().removeAll(reset.names());
    } else if (command instanceof Alter.ModifyComment modify) {
      draft.comment = Optional.of(modify.comment()).filter(text -> !text.isEmpty());
    }
  }

  private void set(String name, Literal value) {
    draft.settings.put(name, value);
  }

  private void refuseUnknown(String name) {
    if (!TableSettings.known(name)) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS, "there is no setting %s that could be reset", name);
    }
  }

  private static EngineException taken(String what, String name) {
    return EngineException.of(
        ErrorCode.ILLEGAL_COLUMN, "can't add %s %s: it is there already", what, name);
  }

  private static <T> int at(List<T> list, Function<T, String> name, String wanted) {
    for (int i = 0; i < list.size(); i++) {
      if (name.apply(list.get(i)).equals(wanted)) {
        return i;
      }
    }
    return -1;
  }

  private void addIndex(Alter.AddIndex add) {
    if (at(draft.indexes, CreateTable.Index::name, add.index().name()) >= 0) {
      if (add.ifNotExists()) {
        return;
      }
      throw taken("index", add.index().name());
    }
    int place = draft.indexes.size();
    if (add.place().orElse(null) instanceof Place.First) {
      place = 0;
    } else if (add.place().orElse(null) instanceof Place.After after) {
      place = at(draft.indexes, CreateTable.Index::name, after.name()) + 1;
      if (place == 0) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS, "there is no index %s to put another behind", after.name());
      }
    }
    draft.indexes.add(place, add.index());
  }

  private void drop(Alter.DropElement drop) {
    boolean index = drop.element() == Alter.Element.INDEX;
    boolean dropped =
        index
            ? draft.indexes.removeIf(i -> i.name().equals(drop.name()))
            : draft.constraints.removeIf(c -> c.name().equals(drop.name()));
    if (!dropped && !drop.ifExists()) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "there is no %s %s to drop",
          index ? "index" : "constraint",
          drop.name());
    }
  }
}
