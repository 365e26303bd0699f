package io.coppice.parquet;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.Element;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.SchemaElement;

/**
 * The columns of a file from its list of schema elements, which is a tree in preorder. Lists are
 * told apart as the format's rules for old writers say. Confined to one thread.
 */
final class FileSchema {
  private static final int MOST_DEPTH = 64;

  private final List<SchemaElement> elements;
  private final List<String> path = new ArrayList<>();
  private int next;
  private int leaves;

  private FileSchema(List<SchemaElement> elements) {
    this.elements = elements;
  }

  /** The columns, in order. */
  static List<Node> of(List<SchemaElement> elements) throws IOException {
    FileSchema schema = new FileSchema(elements);
    SchemaElement root = schema.take();
    List<Node> columns = new ArrayList<>();
    for (int i = 0; i < root.getNum_children(); i++) {
      columns.add(schema.node(0, 0, 0));
    }
    if (schema.next != elements.size()) {
      throw Damage.broken("%d schema elements belong to no column", elements.size() - schema.next);
    }
    return columns;
  }

  private SchemaElement take() throws IOException {
    if (next >= elements.size()) {
      throw Damage.broken("its schema breaks off behind %d elements", next);
    }
    return elements.get(next++);
  }

  private static boolean group(SchemaElement element) {
    return !element.isSetType();
  }

  private static boolean list(SchemaElement element) {
    return element.isSetLogicalType() && element.getLogicalType().isSetLIST()
        || element.getConverted_type() == ConvertedType.LIST;
  }

  private static boolean map(SchemaElement element) {
    return element.isSetLogicalType() && element.getLogicalType().isSetMAP()
        || element.getConverted_type() == ConvertedType.MAP
        || element.getConverted_type() == ConvertedType.MAP_KEY_VALUE;
  }

  /** The next element with what is below it. */
  private Node node(int definition, int repetition, int depth) throws IOException {
    SchemaElement element = take();
    if (depth > MOST_DEPTH) {
      throw Damage.broken("columns nested deeper than %d levels", MOST_DEPTH);
    }
    path.add(element.getName());
    boolean repeated = element.getRepetition_type() == FieldRepetitionType.REPEATED;
    Node node;
    if (repeated) { // without a list around it, it is one itself
      Node item = content(element, false, definition + 1, repetition + 1, depth);
      node = listOf(element.getName(), false, definition, repetition + 1, item);
    } else {
      boolean optional = element.getRepetition_type() == FieldRepetitionType.OPTIONAL;
      node = content(element, optional, definition + (optional ? 1 : 0), repetition, depth);
    }
    path.remove(path.size() - 1);
    return node;
  }

  private static Node listOf(
      String name, boolean optional, int definition, int repetition, Node item) {
    return new Node(
        Node.Kind.LIST,
        name,
        new ArrayType(item.type()),
        optional,
        definition,
        repetition,
        List.of(item),
        Optional.empty());
  }

  private Node content(
      SchemaElement element, boolean optional, int definition, int repetition, int depth)
      throws IOException {
    String name = element.getName();
    if (!group(element)) {
      DataType type = LeafTypes.of(element);
      return new Node(
          Node.Kind.VALUE,
          name,
          optional ? new NullableType(type) : type,
          optional,
          definition,
          repetition,
          List.of(),
          Optional.of(new Node.Leaf(leaves++, path, element)));
    }
    int children = element.getNum_children();
    if (children <= 0) {
      throw Damage.broken("group %s has %d elements", name, children);
    }
    if (children == 1 && (list(element) || map(element)) && next < elements.size()) {
      SchemaElement below = elements.get(next);
      if (below.getRepetition_type() == FieldRepetitionType.REPEATED) {
        return list(element)
            ? list(element, below, optional, definition, repetition, depth)
            : map(element, optional, definition, repetition, depth);
      }
    }
    List<Node> nodes = new ArrayList<>();
    List<Element> types = new ArrayList<>();
    for (int i = 0; i < children; i++) {
      Node child = node(definition, repetition, depth + 1);
      nodes.add(child);
      types.add(new Element(Optional.of(child.name()), child.type()));
    }
    return new Node(
        Node.Kind.GROUP,
        name,
        new TupleType(types),
        optional,
        definition,
        repetition,
        nodes,
        Optional.empty());
  }

  private Node list(
      SchemaElement element,
      SchemaElement below,
      boolean optional,
      int definition,
      int repetition,
      int depth)
      throws IOException {
    boolean wrapped =
        group(below)
            && below.getNum_children() == 1
            && !below.getName().equals("array")
            && !below.getName().equals(element.getName() + "_tuple");
    Node item;
    SchemaElement repeated = take();
    path.add(repeated.getName());
    if (wrapped) {
      item = node(definition + 1, repetition + 1, depth + 1);
    } else {
      item = content(repeated, false, definition + 1, repetition + 1, depth + 1);
    }
    path.remove(path.size() - 1);
    return listOf(element.getName(), optional, definition, repetition + 1, item);
  }

  private Node map(
      SchemaElement element, boolean optional, int definition, int repetition, int depth)
      throws IOException {
    SchemaElement entries = take();
    if (group(entries) && entries.getNum_children() != 2) {
      throw Damage.broken(
          "map %s has entries of %d elements", element.getName(), entries.getNum_children());
    }
    path.add(entries.getName());
    Node key = node(definition + 1, repetition + 1, depth + 1);
    Node value = node(definition + 1, repetition + 1, depth + 1);
    path.remove(path.size() - 1);
    return new Node(
        Node.Kind.MAP,
        element.getName(),
        new MapType(bare(key.type()), value.type()),
        optional,
        definition,
        repetition + 1,
        List.of(key, value),
        Optional.empty());
  }

  private static DataType bare(DataType type) {
    return type instanceof NullableType nullable ? nullable.inner() : type;
  }
}
