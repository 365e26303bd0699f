package io.coppice.parts.write;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Defaults;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.column.SparseChoice;
import io.coppice.parts.format.SerializationFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.arrow.vector.FieldVector;

/**
 * What serialization.json says of a column that a mutation or a merge writes, perhaps with another
 * type: it stays full, or sparse where the conversion keeps defaults, and its defaults are counted
 * anew, granule by granule or block by block.
 *
 * <p>Confined to one thread.
 */
final class WrittenInfo {
  private final DataType type;
  private final Encodings.Kind kind;
  private final boolean exact;
  private final boolean sparseNullable;
  private SerializationFile.Info counted;

  private WrittenInfo(
      DataType type, SerializationFile.Info begun, boolean exact, boolean sparseNullable) {
    this.type = type;
    this.kind = kind(begun);
    this.exact = exact;
    this.sparseNullable = sparseNullable;
    this.counted = begun;
  }

  /**
   * Begins with no rows.
   *
   * @param stored the type that the column had
   * @param old what the file says of the column before, if it names it
   * @param exact whether all rows are looked at
   * @param sparseNullable whether Nullable columns may be sparse
   * @return empty for types that the file does not name
   */
  static Optional<WrittenInfo> of(
      DataType stored,
      DataType type,
      Optional<SerializationFile.Info> old,
      boolean exact,
      boolean sparseNullable) {
    return SparseChoice.counted(type, sparseNullable)
        ? Optional.of(new WrittenInfo(type, begun(stored, type, old, exact), exact, sparseNullable))
        : Optional.empty();
  }

  private static SerializationFile.Info begun(
      DataType stored, DataType given, Optional<SerializationFile.Info> old, boolean exact) {
    Optional<List<SerializationFile.Info>> elements = Optional.empty();
    if (given.storage() instanceof TupleType tuple) {
      List<SerializationFile.Info> before =
          stored.storage() instanceof TupleType was
                  && was.elements().size() == tuple.elements().size()
              ? old.flatMap(SerializationFile.Info::subcolumns).orElse(List.of())
              : List.of();
      List<SerializationFile.Info> infos = new ArrayList<>();
      for (int i = 0; i < tuple.elements().size(); i++) {
        infos.add(
            before.isEmpty()
                ? begun(stored, tuple.elements().get(i).type(), Optional.empty(), exact)
                : begun(
                    ((TupleType) stored.storage()).elements().get(i).type(),
                    tuple.elements().get(i).type(),
                    Optional.of(before.get(i)),
                    exact));
      }
      elements = Optional.of(infos);
    }
    boolean sparse =
        old.isPresent()
            && old.get().kind() == SerializationFile.Kind.SPARSE
            && defaultsStay(stored.storage(), given.storage());
    return new SerializationFile.Info(
        sparse ? SerializationFile.Kind.SPARSE : SerializationFile.Kind.DEFAULT,
        0,
        0,
        exact && elements.isEmpty(),
        elements);
  }

  /** Whether each default of one type is converted to the default of the other. */
  private static boolean defaultsStay(DataType stored, DataType wanted) {
    return stored.equals(wanted)
        || number(stored) && number(wanted)
        || bytes(stored) && bytes(wanted);
  }

  private static boolean bytes(DataType type) {
    return type == PlainType.STRING || type instanceof FixedStringType;
  }

  private static boolean number(DataType type) {
    return Defaults.maySparse(type) && !bytes(type) && !(type instanceof EnumType);
  }

  private static Encodings.Kind kind(SerializationFile.Info info) {
    return new Encodings.Kind(
        info.kind() == SerializationFile.Kind.SPARSE,
        info.subcolumns().orElse(List.of()).stream().map(WrittenInfo::kind).toList());
  }

  /** How the column is written. */
  Encodings.Kind kind() {
    return kind;
  }

  /** Counts the rows of a granule: those from {@code from} up to {@code to} of a vector. */
  void add(FieldVector vector, int from, int to) {
    SparseChoice found =
        SparseChoice.of(vector, type, IntStream.range(from, to).toArray(), 1, exact, sparseNullable)
            .orElseThrow();
    counted = plus(counted, found);
  }

  /**
   * Counts the rows of a block of a column that comes by itself: all of them where it is sparse.
   */
  void addColumn(FieldVector vector, int rows) {
    if (!kind.sparse()) {
      add(vector, 0, rows);
      return;
    }
    SparseChoice found =
        SparseChoice.ofSparse(
                vector, type, IntStream.range(0, rows).toArray(), exact, sparseNullable)
            .orElseThrow();
    counted = plus(counted, found);
  }

  private static SerializationFile.Info plus(SerializationFile.Info info, SparseChoice more) {
    Optional<List<SerializationFile.Info>> elements =
        info.subcolumns()
            .map(
                before ->
                    IntStream.range(0, before.size())
                        .mapToObj(i -> plus(before.get(i), more.elements().get(i)))
                        .toList());
    return new SerializationFile.Info(
        info.kind(),
        info.defaultCount() + more.defaults(),
        info.rowCount() + more.rows(),
        info.exact(),
        elements);
  }

  /** What the file says of the rows counted. */
  SerializationFile.Info info() {
    return counted;
  }
}
