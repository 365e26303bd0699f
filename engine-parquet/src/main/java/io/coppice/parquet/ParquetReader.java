package io.coppice.parquet;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.stream.DirectMemory;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.text.WholeFileFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.util.OversizedAllocationException;
import org.apache.parquet.VersionParser;
import org.apache.parquet.VersionParser.ParsedVersion;
import org.apache.parquet.VersionParser.VersionParseException;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.impl.ColumnReaderImpl;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Type;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;

/**
 * Reads a Parquet file, row group by row group; of each column a page is in memory, and a batch of
 * rows. Confined to one thread; the owner closes it.
 */
final class ParquetReader implements WholeFileFormat.Opened {
  private final ParquetFile file;
  private final String name;
  private final FileMetaData footer;
  private final List<Node> nodes;
  private final List<Column> columns = new ArrayList<>();
  private BufferAllocator allocator;
  private int batchRows;
  private int nextGroup;
  private long rowsLeft;

  /** A column that is read, in the type in which it is given. */
  private record Column(Node node, DataType type, Map<Node, LeafColumn> leaves) {}

  private ParquetReader(ParquetFile file, String name, FileMetaData footer, List<Node> nodes) {
    this.file = file;
    this.name = name;
    this.footer = footer;
    this.nodes = nodes;
  }

  static ParquetReader open(Path path, String name) throws IOException {
    ParquetFile file = new ParquetFile(path);
    boolean done = false;
    try {
      ParquetReader reader =
          Damage.named(
              name,
              () -> {
                FileMetaData footer = file.footer();
                return new ParquetReader(file, name, footer, FileSchema.of(footer.getSchema()));
              });
      done = true;
      return reader;
    } finally {
      if (!done) {
        file.close();
      }
    }
  }

  @Override
  public Map<String, DataType> columns() {
    Map<String, DataType> types = new LinkedHashMap<>();
    nodes.forEach(node -> types.put(node.name(), node.type()));
    return types;
  }

  @Override
  public void read(
      Map<String, DataType> wanted, boolean nullAsDefault, int rows, BufferAllocator memory) {
    allocator = memory;
    batchRows = rows;
    for (Node node : nodes) {
      Optional.ofNullable(wanted.get(node.name()))
          .map(type -> LeafTypes.given(node.type(), type, nullAsDefault))
          .ifPresent(type -> columns.add(new Column(node, type, new IdentityHashMap<>())));
    }
  }

  @Override
  public Optional<VectorSchemaRoot> next() throws IOException {
    if (columns.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Damage.named(name, this::batch);
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw DirectMemory.lacking(e, "reading " + name);
    }
  }

  private Optional<VectorSchemaRoot> batch() throws IOException {
    while (rowsLeft == 0) {
      if (nextGroup == footer.getRow_groupsSize()) {
        return Optional.empty();
      }
      begin(footer.getRow_groups().get(nextGroup++));
    }
    int rows = (int) Math.min(batchRows, rowsLeft);
    rowsLeft -= rows;
    List<FieldVector> vectors = new ArrayList<>();
    boolean done = false;
    try {
      for (Column column : columns) {
        FieldVector vector =
            ArrowMapping.field(column.node().name(), column.type()).createVector(allocator);
        vectors.add(vector);
        Vectors.reserve(vector, rows);
        new Filling(column, rows).fill(column.node(), column.type(), vector, List.of());
        Vectors.finish(vector, rows);
      }
      done = true;
    } finally {
      if (!done) {
        Vectors.close(vectors);
      }
    }
    return Optional.of(
        new VectorSchemaRoot(vectors.stream().map(FieldVector::getField).toList(), vectors, rows));
  }

  private void begin(RowGroup group) throws IOException {
    rowsLeft = group.getNum_rows();
    if (rowsLeft < 0) {
      throw Damage.broken("row group %d has %d rows", nextGroup, rowsLeft);
    }
    for (Column column : columns) {
      column.leaves().clear();
      if (rowsLeft > 0) {
        begin(group, column, column.node(), List.of());
      }
    }
  }

  private void begin(RowGroup group, Column column, Node node, List<Node> lists)
      throws IOException {
    if (node.leaf().isEmpty()) {
      List<Node> around = new ArrayList<>(lists);
      if (node.kind() != Node.Kind.GROUP) {
        around.add(node);
      }
      for (Node child : node.children()) {
        begin(group, column, child, around);
      }
      return;
    }
    Node.Leaf leaf = node.leaf().get();
    if (leaf.number() >= group.getColumnsSize()
        || !group.getColumns().get(leaf.number()).isSetMeta_data()) {
      throw Damage.broken("row group %d lacks column %s", nextGroup, leaf.path());
    }
    PrimitiveType type =
        new PrimitiveType(
            node.definition() > 0 ? Repetition.OPTIONAL : Repetition.REQUIRED,
            physical(leaf.element().getType()),
            leaf.element().getType_length(),
            node.name());
    ColumnDescriptor descriptor =
        new ColumnDescriptor(
            leaf.path().toArray(String[]::new), type, lists.size(), node.definition());
    ChunkPages pages =
        new ChunkPages(file, group.getColumns().get(leaf.number()).getMeta_data(), type);
    column
        .leaves()
        .put(
            node,
            new LeafColumn(
                node,
                lists,
                new ColumnReaderImpl(descriptor, pages, new PrimitiveConverter() {}, version()),
                pages.getTotalValueCount()));
  }

  private static PrimitiveTypeName physical(Type type) {
    return type == Type.BYTE_ARRAY
        ? PrimitiveTypeName.BINARY
        : PrimitiveTypeName.valueOf(type.name());
  }

  /** Who wrote the file, if that can be understood: some writers had faults to be mended. */
  private ParsedVersion version() {
    try {
      return footer.isSetCreated_by() ? VersionParser.parse(footer.getCreated_by()) : null;
    } catch (VersionParseException | RuntimeException e) {
      return null;
    }
  }

  /** Fills the vector of one column. */
  private static final class Filling {
    private final Column column;
    private final int rows;
    private final Map<ListVector, Integer> elements = new IdentityHashMap<>();

    Filling(Column column, int rows) {
      this.column = column;
      this.rows = rows;
    }

    void fill(Node node, DataType given, FieldVector vector, List<ListVector> lists)
        throws IOException {
      DataType type = given instanceof NullableType nullable ? nullable.inner() : given;
      switch (node.kind()) {
        case VALUE -> {
          ValueSetter setter = ValueSetter.of(node.leaf().orElseThrow().element(), type, vector);
          int[] counts =
              column.leaves().get(node).read(rows, new LeafColumn.Target(vector, lists, setter));
          for (int i = 0; i < lists.size(); i++) {
            Integer before = elements.put(lists.get(i), counts[i + 1]);
            if (before != null && before != counts[i + 1]) {
              throw Damage.broken(
                  "column %s has lists of %d and of %d elements",
                  column.node().name(), before, counts[i + 1]);
            }
          }
        }
        case GROUP -> {
          for (int i = 0; i < node.children().size(); i++) {
            fill(
                node.children().get(i),
                ((TupleType) type).elements().get(i).type(),
                vector.getChildrenFromFields().get(i),
                lists);
          }
        }
        case LIST -> {
          ListVector list = (ListVector) vector;
          fill(
              node.children().get(0),
              ((ArrayType) type).element(),
              list.getDataVector(),
              with(lists, list));
        }
        case MAP -> {
          ListVector list = (ListVector) vector;
          List<FieldVector> entry = list.getDataVector().getChildrenFromFields();
          List<ListVector> around = with(lists, list);
          fill(node.children().get(0), ((MapType) type).key(), entry.get(0), around);
          fill(node.children().get(1), ((MapType) type).value(), entry.get(1), around);
        }
      }
    }

    private static List<ListVector> with(List<ListVector> lists, ListVector list) {
      List<ListVector> all = new ArrayList<>(lists);
      all.add(list);
      return all;
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
