package io.coppice.parquet;

import io.coppice.language.type.DataType;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.format.SchemaElement;

/**
 * A column of a file, or a part of one.
 *
 * @param kind what it is
 * @param name of a column or an element of a group
 * @param type as ClickHouse takes it
 * @param optional whether it may lack
 * @param definition the definition level from which on it is there
 * @param repetition the repetition level of its elements, for lists and maps; that of the deepest
 *     list around it otherwise
 * @param children elements; of a map key and value
 * @param leaf of a value, its number among the columns of the file and what the file says of it
 */
record Node(
    Kind kind,
    String name,
    DataType type,
    boolean optional,
    int definition,
    int repetition,
    List<Node> children,
    Optional<Leaf> leaf) {
  Node {
    children = List.copyOf(children);
  }

  enum Kind {
    VALUE,
    GROUP,
    LIST,
    MAP
  }

  /** A column of values. */
  record Leaf(int number, List<String> path, SchemaElement element) {
    Leaf {
      path = List.copyOf(path);
    }
  }
}
