package io.coppice.engine.alter;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Alter;
import io.coppice.language.statement.Alter.Command;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.parts.create.CreateCheck;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an ALTER TABLE makes of a table.
 *
 * <p>Immutable.
 *
 * @param create the new definition
 * @param mutation the commands that parts must go through which are there already; none when only
 *     the definition changes
 */
public record Alteration(CreateTable create, List<Command> mutation) {
  public Alteration {
    mutation = List.copyOf(mutation);
  }

  /**
   * Applies commands to a definition, as ClickHouse 26.7 does: each to what those before it made.
   *
   * @param settings of the session; some allow what is refused without them
   * @throws EngineException with ClickHouse's code for what it would refuse; NOT_IMPLEMENTED for
   *     what is not served
   */
  public static Alteration of(
      CreateTable create, List<Command> commands, Profile profile, Map<String, Literal> settings) {
    try {
      return checked(create, commands, profile, settings);
    } catch (EngineException e) {
      throw e.within("ALTER TABLE " + create.name().text());
    }
  }

  private static Alteration checked(
      CreateTable create, List<Command> commands, Profile profile, Map<String, Literal> settings) {
    for (Command command : commands) {
      AlterRules.refuseUnserved(command);
    }
    AlterRules.checkRenames(commands);
    TableDefinition before = TableDefinition.of(create, profile);
    AlterRules rules = new AlterRules(create, before);
    Draft draft = new Draft(create);
    ColumnCommands columns = new ColumnCommands(draft, rules);
    OtherCommands others = new OtherCommands(draft, rules, profile);
    List<Command> mutation = new ArrayList<>();
    boolean ttlChanges = false;
    for (Command command : commands) {
      rules.checkColumn(command, draft);
      if (mutates(command, draft)) {
        mutation.add(command);
      }
      ttlChanges |= changesTtl(command, draft);
      if (!columns.apply(command)) {
        others.apply(command);
      }
    }
    rules.checkSortingKey(draft);
    if (ttlChanges) {
      mutation.add(new Alter.MaterializeTtl(Optional.empty()));
    }
    CreateTable after = draft.finish();
    rules.checkKeyTypes(TableDefinition.of(allowing(after, settings), profile));
    check(create, after, profile, settings);
    if (!mutation.isEmpty() && !create.projections().isEmpty()) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "%s changes parts, whose projections are not written anew; drop the projections first",
          mutation.get(0).text());
    }
    return new Alteration(after, mutation);
  }

  /**
   * Refuses to leave a part without columns: of what it holds at least one must stay.
   *
   * @param columns what a part holds
   * @throws EngineException BAD_ARGUMENTS
   */
  public void checkPart(String part, Map<String, DataType> columns) {
    Set<String> gone = new LinkedHashSet<>();
    for (Command command : mutation) {
      if (command instanceof Alter.DropElement drop && drop.element() == Alter.Element.COLUMN) {
        gone.add(drop.name());
      } else if (command instanceof Alter.ClearElement clear
          && clear.element() == Alter.Element.COLUMN) {
        gone.add(clear.name());
      }
    }
    boolean empties =
        !gone.isEmpty()
            && columns.entrySet().stream()
                .allMatch(
                    column ->
                        gone.contains(column.getKey())
                            || column.getValue() instanceof DataType.ArrayType
                                && gone.stream()
                                    .anyMatch(n -> column.getKey().startsWith(n + ".")));
    if (empties) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "ALTER TABLE %s: can't drop or clear %s: part %s holds no other column, and a part must"
              + " have one; have another written first, by MATERIALIZE COLUMN or new rows",
          create.name().text(),
          String.join(", ", gone),
          part);
    }
  }

  /** Tables from a time that allowed more may be altered; what they have is not judged again. */
  private static void check(
      CreateTable before, CreateTable after, Profile profile, Map<String, Literal> settings) {
    TableDefinition altered = TableDefinition.of(allowing(after, settings), profile);
    try {
      CreateCheck.check(TableDefinition.of(allowing(before, settings), profile));
    } catch (EngineException e) {
      System.getLogger(Alteration.class.getName())
          .log(System.Logger.Level.DEBUG, "altered unchecked, it was not in order before", e);
      return;
    }
    CreateCheck.checkAltered(altered);
  }

  private static CreateTable allowing(CreateTable create, Map<String, Literal> settings) {
    Map<String, Literal> all = new LinkedHashMap<>(settings);
    all.keySet().removeIf(name -> !name.startsWith("allow_suspicious_"));
    all.putAll(create.settings());
    return create.with(all);
  }

  private static boolean mutates(Command command, Draft draft) {
    if (command instanceof Alter.DropElement drop) {
      return drop.element() == Alter.Element.INDEX
          || drop.element() == Alter.Element.COLUMN && there(draft, drop.name());
    }
    if (command instanceof Alter.ClearElement clear) {
      return clear.element() == Alter.Element.INDEX || there(draft, clear.name());
    }
    if (command instanceof Alter.RenameColumn rename) {
      return there(draft, rename.from());
    }
    if (command instanceof Alter.MaterializeTtl) {
      return true;
    }
    return command instanceof Alter.ModifyColumn modify
        && modify.column().type().isPresent()
        && draft
            .column(modify.column().name())
            .filter(AlterRules::stored)
            .filter(
                old ->
                    !ArrowMapping.sameBytes(
                        old.type().orElseThrow(), ColumnCommands.typeOf(modify).orElseThrow()))
            .isPresent();
  }

  private static boolean there(Draft draft, String column) {
    return draft.column(column).isPresent() || draft.hasNested(column);
  }

  private static boolean changesTtl(Command command, Draft draft) {
    if (command instanceof Alter.ModifyTtl modify) {
      return !modify.elements().equals(draft.ttl);
    }
    return command instanceof Alter.ModifyColumn modify
        && modify.column().ttl().isPresent()
        && draft
            .column(modify.column().name())
            .filter(old -> !old.ttl().equals(modify.column().ttl()))
            .isPresent();
  }
}
