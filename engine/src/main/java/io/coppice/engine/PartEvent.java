package io.coppice.engine;

import io.coppice.language.statement.TableName;
import io.coppice.parts.name.PartName;
import java.util.UUID;

/**
 * Something that happened to a part of a table: a row of {@code system.part_log}.
 *
 * @param atMillis since 1970
 * @param path of the part
 */
public record PartEvent(
    Kind kind,
    long atMillis,
    TableName table,
    UUID tableUuid,
    PartName part,
    boolean compact,
    String path,
    long rows,
    long bytes) {

  /** What happened. */
  public enum Kind {
    /** An insert wrote it, or it was attached. */
    NEW_PART("NewPart"),
    /** Its files are deleted, or it was detached. */
    REMOVE_PART("RemovePart"),
    /** An ALTER wrote it. */
    MUTATE_PART("MutatePart"),
    /** It came from another table. */
    MOVE_PART("MovePart");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** ClickHouse's name. */
    public String text() {
      return text;
    }
  }
}
