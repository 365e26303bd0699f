package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.parse.Parser;
import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.parts.column.Defaults;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Reads TSV and CSV. */
final class SeparatedReader implements BatchReader {
  /** Bytes of text after which a batch is full whatever its rows. */
  private static final long MOST_BATCH_BYTES = 64L << 20;

  private static final int BUFFER_BYTES = 1 << 20;

  /**
   * One field of a line and where its value goes.
   *
   * @param column index in the batch; -1 for a field that is passed over
   * @param path which children of the column's vector lead to the value's
   * @param nullable whether a field may say NULL
   */
  private record Slot(
      int column,
      int[] path,
      String label,
      boolean nullable,
      boolean emptyTuple,
      ValueParser parser,
      Defaults defaults) {}

  private final String name;
  private final TableDefinition table;
  private final Options options;
  private final BufferAllocator allocator;
  private final boolean tabs;
  private final RecordInput input;
  private final Segments segments;
  private final TextCursor cursor = new TextCursor();
  private final DataFormat format;
  private final boolean raw;
  private final int comma;
  private final byte[] nullText;
  private final boolean nullAsDefault;
  private final boolean emptyAsDefault;
  private final boolean header;
  private final long skippedLines;

  private boolean started;
  private List<ColumnDefinition> columns = List.of();
  private Slot[] slots = new Slot[0];
  private Slot[] absent = new Slot[0];

  SeparatedReader(
      DataFormat format,
      InputStream in,
      String name,
      TableDefinition table,
      Options options,
      BufferAllocator allocator) {
    this.format = format;
    this.tabs = format.tabs();
    this.raw = format.family() == DataFormat.Family.RAW;
    FormatSettings settings = options.settings();
    this.comma = settings.text(FormatSetting.CSV_DELIMITER).charAt(0);
    this.nullText =
        ByteText.bytes(settings.text(tabs ? FormatSetting.TSV_NULL : FormatSetting.CSV_NULL));
    this.nullAsDefault = settings.is(FormatSetting.NULL_AS_DEFAULT);
    this.emptyAsDefault = settings.is(FormatSetting.CSV_EMPTY_AS_DEFAULT);
    this.header =
        settings.is(tabs ? FormatSetting.TSV_DETECT_HEADER : FormatSetting.CSV_DETECT_HEADER);
    this.skippedLines =
        settings.number(
            tabs ? FormatSetting.TSV_SKIP_FIRST_LINES : FormatSetting.CSV_SKIP_FIRST_LINES);
    this.input = new RecordInput(in, BUFFER_BYTES);
    this.segments = new Segments(options.segment());
    this.name = name;
    this.table = table;
    this.options = options;
    this.allocator = allocator;
  }

  // ---- fields

  private int fieldFrom;
  private int fieldTo;
  private int next;
  private boolean fieldQuoted;
  private boolean lineEnded;

  /**
   * Finds the field that starts at {@code place}; sets where its text is, where the next one starts
   * and whether the line ends here.
   */
  private void field(int place) throws IOException {
    if (tabs) {
      tabField(place);
    } else {
      commaField(place);
    }
  }

  private void tabField(int place) throws IOException {
    int i = place;
    while (true) {
      byte[] bytes = input.bytes();
      int start = input.start();
      int size = input.size();
      while (i < size) {
        byte b = bytes[start + i];
        if (b == '\t' || b == '\n') {
          fieldFrom = place;
          fieldTo = i;
          next = i + 1;
          fieldQuoted = false;
          lineEnded = b == '\n';
          return;
        }
        i += b == '\\' && !raw ? 2 : 1;
      }
      if (!input.available(i)) {
        fieldFrom = place;
        fieldTo = input.size();
        next = fieldTo;
        fieldQuoted = false;
        lineEnded = true;
        return;
      }
    }
  }

  private void commaField(int place) throws IOException {
    int i = place;
    int b = input.at(i);
    while (b == ' ' || b == '\t') {
      b = input.at(++i);
    }
    if (b == '"') {
      quotedField(i);
      return;
    }
    fieldFrom = i;
    fieldQuoted = false;
    while (b >= 0 && b != comma && b != '\n' && !(b == '\r' && input.at(i + 1) == '\n')) {
      b = input.at(++i);
    }
    int to = i;
    byte[] bytes = input.bytes();
    int start = input.start();
    while (to > fieldFrom && (bytes[start + to - 1] == ' ' || bytes[start + to - 1] == '\t')) {
      to--;
    }
    fieldTo = to;
    separator(i, b);
  }

  private byte[] unquoted = new byte[256];
  private int unquotedSize;

  private void quotedField(int place) throws IOException {
    int i = place + 1;
    unquotedSize = 0;
    while (true) {
      int b = input.at(i);
      if (b < 0) {
        throw at(place, "expected a closing double quote, found the end");
      }
      if (b == '"') {
        if (input.at(i + 1) != '"') {
          break;
        }
        i++;
      }
      if (unquotedSize == unquoted.length) {
        unquoted = Arrays.copyOf(unquoted, unquoted.length * 2);
      }
      unquoted[unquotedSize++] = (byte) b;
      i++;
    }
    fieldFrom = place;
    fieldTo = i + 1;
    fieldQuoted = true;
    int b = input.at(++i);
    while (b == ' ' || b == '\t') {
      b = input.at(++i);
    }
    if (b >= 0 && b != comma && b != '\n' && !(b == '\r' && input.at(i + 1) == '\n')) {
      throw at(i, "expected a comma or the end of the line behind a quoted field");
    }
    separator(i, b);
  }

  private void separator(int place, int b) {
    lineEnded = b != comma;
    next = b < 0 ? place : b == '\r' ? place + 2 : place + 1;
  }

  private EngineException at(int place, String message) {
    return EngineException.of(
        ErrorCode.INCORRECT_DATA, "%s, %s: %s", name, input.where(place), message);
  }

  // ---- header

  /** The texts of the line at the start of the record, and its length in {@link #next}. */
  private List<String> line() throws IOException {
    List<String> fields = new ArrayList<>();
    next = 0;
    do {
      field(next);
      byte[] text;
      if (fieldQuoted) {
        text = Arrays.copyOf(unquoted, unquotedSize);
      } else {
        byte[] bytes = input.bytes();
        cursor.on(bytes, input.start() + fieldFrom, input.start() + fieldTo);
        if (tabs && !raw) {
          cursor.unescapeAll();
          text = Arrays.copyOf(cursor.scratch(), cursor.scratchSize());
        } else {
          text = Arrays.copyOfRange(bytes, cursor.position, cursor.end);
        }
      }
      fields.add(ByteText.of(text));
    } while (!lineEnded);
    return fields;
  }

  private void start() throws IOException {
    started = true;
    if (input.available(2) && input.at(0) == 0xEF && input.at(1) == 0xBB && input.at(2) == 0xBF) {
      input.consume(3); // a byte order mark
    }
    for (long i = 0; i < skippedLines && input.available(0); i++) {
      skipLine();
    }
    if (!input.available(0)) {
      bind(InputColumn.ordinary(table, options).stream().map(ColumnDefinition::name).toList());
      return;
    }
    if (format.names()) {
      List<String> names = line();
      refuseCarriageReturn();
      bindAt(names);
      int size = next;
      if (format.types()) {
        input.consume(size);
        segments.head(1);
        checkTypes(names, line());
        size = next;
      }
      input.consume(size);
      segments.head(1);
      return;
    }
    List<String> ordinary =
        InputColumn.ordinary(table, options).stream().map(ColumnDefinition::name).toList();
    List<String> first = line();
    refuseCarriageReturn();
    int size = next;
    if (header && isHeader(first)) {
      bindAt(first);
      input.consume(size);
      segments.head(1);
    } else {
      bind(ordinary);
    }
  }

  private void skipLine() throws IOException {
    int i = 0;
    while (input.available(i) && input.at(i) != '\n') {
      i++;
    }
    input.consume(Math.min(i + 1, input.size()));
    segments.head(1);
  }

  private void bindAt(List<String> names) {
    try {
      bind(names);
    } catch (EngineException e) {
      throw e.within(name + ", " + input.where(0));
    }
  }

  private void refuseCarriageReturn() throws IOException {
    if (tabs && fieldTo > 0 && input.at(fieldTo - 1) == '\r') {
      throw at(
          fieldTo - 1,
          "a carriage return at the end of the first line; take them out, as with tr -d '\\r'");
    }
  }

  /** Whether a line of an input without names is one of names: all its fields are columns. */
  private boolean isHeader(List<String> fields) {
    Set<String> known = new HashSet<>();
    for (ColumnDefinition column : InputColumn.ordinary(table, options)) {
      known.add(column.name());
      if (!tabs) {
        List<String> spread = new ArrayList<>();
        SeparatedWriter.spread(column.name(), column.type(), spread);
        known.addAll(spread);
      }
    }
    return known.containsAll(fields) && new HashSet<>(fields).size() == fields.size();
  }

  private void checkTypes(List<String> names, List<String> types) {
    if (types.size() != names.size()) {
      throw at(0, names.size() + " names, then " + types.size() + " types");
    }
    for (int i = 0; i < names.size(); i++) {
      Optional<ColumnDefinition> column = table.column(names.get(i));
      if (column.isPresent()) {
        DataType given;
        try {
          given = Parser.type(types.get(i));
        } catch (EngineException e) {
          throw e.within(name + ", " + input.where(0));
        }
        if (!given.equals(column.get().type())) {
          throw at(
              0,
              String.format(
                  "column %s has type %s, table %s has it as %s",
                  names.get(i), types.get(i), table.name(), column.get().type().text()));
        }
      }
    }
  }

  /** Decides what each field of a line is. */
  private void bind(List<String> names) {
    List<ColumnDefinition> used = new ArrayList<>();
    List<Slot> bound = new ArrayList<>();
    Map<String, Slot> elements = tabs ? Map.of() : elementSlots();
    Map<Integer, Set<String>> givenElements = new HashMap<>();
    Set<String> seen = new HashSet<>();
    for (String field : names) {
      if (!seen.add(field)) {
        throw EngineException.of(
            ErrorCode.DUPLICATE_COLUMN, "column %s is in the input twice", field);
      }
      Slot element = table.column(field).isPresent() ? null : elements.get(field);
      if (element != null) {
        ColumnDefinition owner = table.columns().get(element.column());
        int index = used.indexOf(owner);
        if (index < 0) {
          index = used.size();
          used.add(owner);
        }
        bound.add(in(element, index));
        givenElements.computeIfAbsent(index, k -> new HashSet<>()).add(field);
        continue;
      }
      Optional<ColumnDefinition> column = InputColumn.named(table, field, options);
      if (column.isEmpty()) {
        bound.add(new Slot(-1, new int[0], field, true, false, null, null));
        continue;
      }
      if (givenElements.containsKey(used.indexOf(column.get()))) {
        throw EngineException.of(
            ErrorCode.DUPLICATE_COLUMN, "column %s is in the input twice", field);
      }
      int index = used.size();
      used.add(column.get());
      leaves(index, new int[0], field, column.get().type(), bound);
    }
    List<Slot> lacking = new ArrayList<>();
    for (Map.Entry<Integer, Set<String>> given : givenElements.entrySet()) {
      List<Slot> all = new ArrayList<>();
      ColumnDefinition owner = used.get(given.getKey());
      leaves(given.getKey(), new int[0], owner.name(), owner.type(), all);
      all.removeIf(s -> given.getValue().contains(s.label()));
      lacking.addAll(all);
    }
    this.columns = used;
    this.slots = bound.toArray(new Slot[0]);
    this.absent = lacking.toArray(new Slot[0]);
  }

  private static Slot in(Slot slot, int column) {
    return new Slot(
        column,
        slot.path(),
        slot.label(),
        slot.nullable(),
        slot.emptyTuple(),
        slot.parser(),
        slot.defaults());
  }

  /** The fields that CSV spreads tuples over, by their names; columns by index in the table. */
  private Map<String, Slot> elementSlots() {
    Map<String, Slot> all = new HashMap<>();
    for (int i = 0; i < table.columns().size(); i++) {
      ColumnDefinition column = table.columns().get(i);
      boolean tuple = column.type().storage() instanceof TupleType;
      if (tuple && column.stored() && ArrowMapping.readable(column.type())) {
        List<Slot> leaves = new ArrayList<>();
        leaves(i, new int[0], column.name(), column.type(), leaves);
        leaves.forEach(leaf -> all.put(leaf.label(), leaf));
      }
    }
    return all;
  }

  private void leaves(int column, int[] path, String label, DataType type, List<Slot> to) {
    boolean spread = !tabs && type.storage() instanceof TupleType;
    if (spread && !((TupleType) type.storage()).elements().isEmpty()) {
      TupleType tuple = (TupleType) type.storage();
      for (int i = 0; i < tuple.elements().size(); i++) {
        int[] deeper = Arrays.copyOf(path, path.length + 1);
        deeper[path.length] = i;
        leaves(
            column, deeper, label + "." + tuple.elementName(i), tuple.elements().get(i).type(), to);
      }
      return;
    }
    to.add(
        new Slot(
            column,
            path,
            label,
            type.nullable(),
            spread,
            ValueParser.of(type, options.zone()),
            Defaults.of(type)));
  }

  // ---- rows

  @Override
  public boolean blockEnds() {
    return segments.ended();
  }

  @Override
  public Optional<VectorSchemaRoot> next() throws IOException {
    if (!started) {
      start();
    }
    if (!input.available(0)) {
      return Optional.empty();
    }
    int first = Math.min(options.batchRows(), 1024);
    RowBatch batch = new RowBatch(table, columns, options, first, allocator);
    boolean done = false;
    String start = input.where(0);
    try {
      long from = input.consumed();
      FieldVector[] targets = targets(slots, batch);
      FieldVector[] lacking = targets(absent, batch);
      boolean more = true;
      while (more
          && batch.rows() < options.batchRows()
          && input.consumed() - from < MOST_BATCH_BYTES
          && input.available(0)) {
        row(batch, targets, lacking);
        more = !segments.row(input.consumed());
      }
      VectorSchemaRoot root = batch.finish();
      done = true;
      return Optional.of(root);
    } catch (EngineException e) {
      throw e.getMessage().startsWith(name + ", line")
          ? e
          : e.within(name + ", from " + start + " on");
    } finally {
      if (!done) {
        batch.close();
      }
    }
  }

  private static FieldVector[] targets(Slot[] slots, RowBatch batch) {
    FieldVector[] targets = new FieldVector[slots.length];
    for (int i = 0; i < slots.length; i++) {
      if (slots[i].column() >= 0) {
        FieldVector vector = batch.vector(slots[i].column());
        for (int child : slots[i].path()) {
          vector = vector.getChildrenFromFields().get(child);
        }
        targets[i] = vector;
      }
    }
    return targets;
  }

  private void row(RowBatch batch, FieldVector[] targets, FieldVector[] lacking)
      throws IOException {
    int row = batch.row();
    next = 0;
    for (int i = 0; i < slots.length; i++) {
      Slot slot = slots[i];
      field(next);
      if (slot.column() >= 0) {
        try {
          value(batch, slot, targets[i], row);
        } catch (EngineException e) {
          throw e.within(
              name
                  + ", "
                  + input.where(fieldFrom)
                  + ", "
                  + slot.label()
                  + " "
                  + columns.get(slot.column()).type().text());
        }
      }
      if (lineEnded != (i == slots.length - 1)) {
        throw at(
            fieldTo,
            lineEnded
                ? "the line has " + (i + 1) + " fields, expected " + slots.length
                : "the line has more than the " + slots.length + " fields expected");
      }
    }
    for (int i = 0; i < absent.length; i++) {
      absent[i].defaults().appendMissing(lacking[i], row, 1);
    }
    batch.endRow();
    input.consume(next);
  }

  private void value(RowBatch batch, Slot slot, FieldVector vector, int row) {
    int size = fieldTo - fieldFrom;
    byte[] bytes = input.bytes();
    int from = input.start() + fieldFrom;
    if (fieldQuoted) {
      slot.parser().plain(cursor.on(unquoted, 0, unquotedSize), vector, row);
      return;
    }
    boolean isNull =
        Arrays.equals(bytes, from, from + size, nullText, 0, nullText.length)
            && (slot.nullable() || nullAsDefault);
    boolean lacks = isNull && !slot.nullable() || !tabs && size == 0 && emptyAsDefault;
    if (lacks || isNull || slot.emptyTuple() && size == 0) {
      if (lacks && slot.path().length == 0) {
        batch.missing(slot.column());
      } else {
        slot.defaults().appendMissing(vector, row, 1);
      }
      return;
    }
    cursor.on(bytes, from, from + size);
    if (tabs && !raw) {
      slot.parser().escaped(cursor, vector, row);
    } else {
      slot.parser().plain(cursor, vector, row);
    }
  }

  @Override
  public void close() {}
}
