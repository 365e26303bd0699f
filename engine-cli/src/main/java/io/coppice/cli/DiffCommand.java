package io.coppice.cli;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.ReadableFile;
import io.coppice.base.error.EngineException;
import io.coppice.language.type.DataType;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.text.TextBuffer;
import io.coppice.parts.text.ValueText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "diff",
    description = {
      "Says what differs between two parts: file by file, then in their rows.",
      "Exit status 1 if anything differs."
    },
    mixinStandardHelpOptions = true)
final class DiffCommand implements Callable<Integer> {
  private static final int MOST_ROWS_SHOWN = 10;
  private static final int CHUNK_BYTES = 1 << 16;

  private final Shell shell;

  @Spec private CommandSpec spec;
  @Mixin private PartOptions options;

  @Parameters(index = "0", paramLabel = "A", description = "A part.")
  private Path a;

  @Parameters(index = "1", paramLabel = "B", description = "Another.")
  private Path b;

  DiffCommand(Shell shell) {
    this.shell = shell;
  }

  private PartPaths.Found one(PartPaths paths, Path path) throws IOException {
    List<PartPaths.Found> found = paths.find(path);
    if (found.size() > 1) {
      throw new ParameterException(
          spec.commandLine(), path + " holds " + found.size() + " parts; name one of them");
    }
    return found.get(0);
  }

  @Override
  public Integer call() throws Exception {
    options.check();
    try (PartPaths paths = new PartPaths(shell::note);
        BufferAllocator allocator = new RootAllocator()) {
      PartPaths.Found left = one(paths, a);
      PartPaths.Found right = one(paths, b);
      boolean files = files(left.disk(), right.disk());
      boolean rows = rows(left, right, allocator);
      return files && rows ? 0 : Main.WRONG;
    }
  }

  private static Map<String, Long> list(Disk disk, String prefix) throws IOException {
    Map<String, Long> files = new TreeMap<>();
    for (Disk.Entry entry : disk.list("")) {
      if (entry.directory()) {
        files.putAll(list(disk.within(entry.name()), prefix + entry.name() + "/"));
      } else {
        files.put(prefix + entry.name(), entry.sizeBytes());
      }
    }
    return files;
  }

  private boolean files(Disk left, Disk right) throws IOException {
    Map<String, Long> first = list(left, "");
    Map<String, Long> second = list(right, "");
    TreeSet<String> names = new TreeSet<>(first.keySet());
    names.addAll(second.keySet());
    int differing = 0;
    for (String name : names) {
      if (!second.containsKey(name)) {
        shell.line("only in A: " + name + " (" + Amounts.count(first.get(name), "byte") + ")");
        differing++;
      } else if (!first.containsKey(name)) {
        shell.line("only in B: " + name + " (" + Amounts.count(second.get(name), "byte") + ")");
        differing++;
      } else {
        long at;
        try {
          at = mismatch(left, right, name);
        } catch (IOException e) {
          shell.line(name + ": not compared: " + Words.of(e));
          differing++;
          continue;
        }
        if (at >= 0) {
          shell.line(
              name
                  + ": differs at byte "
                  + at
                  + ", sizes "
                  + Amounts.count(first.get(name))
                  + " and "
                  + Amounts.count(second.get(name)));
          differing++;
        }
      }
    }
    shell.line(
        differing == 0
            ? "files: all " + Amounts.count(names.size()) + " equal"
            : "files: "
                + Amounts.count(differing)
                + " of "
                + Amounts.count(names.size())
                + " differ");
    return differing == 0;
  }

  /** The first byte that differs, or -1. */
  private static long mismatch(Disk left, Disk right, String name) throws IOException {
    try (ReadableFile x = left.open(name);
        ReadableFile y = right.open(name)) {
      ByteBuffer p = ByteBuffer.allocate(CHUNK_BYTES);
      ByteBuffer q = ByteBuffer.allocate(CHUNK_BYTES);
      long at = 0;
      while (true) {
        int n = x.read(at, p.clear());
        int m = y.read(at, q.clear());
        int different = p.flip().mismatch(q.flip());
        if (different >= 0) {
          return at + different;
        }
        if (n == 0 || m == 0) {
          return -1;
        }
        at += n;
      }
    }
  }

  private boolean rows(PartPaths.Found left, PartPaths.Found right, BufferAllocator allocator)
      throws IOException {
    LoadedPart x;
    LoadedPart y;
    try {
      x = PartOptions.open(left, options.table(left, shell), allocator);
      y = PartOptions.open(right, options.table(right, shell), allocator);
    } catch (EngineException | IOException e) {
      shell.line("rows: not compared: " + Words.of(e));
      return false;
    }
    List<String> common = new ArrayList<>();
    boolean same = true;
    TreeSet<String> names = new TreeSet<>(x.columns().keySet());
    names.addAll(y.columns().keySet());
    for (String name : names) {
      DataType first = x.columns().get(name);
      DataType second = y.columns().get(name);
      if (first == null || second == null) {
        shell.line("column " + name + ": only in " + (second == null ? "A" : "B"));
        same = false;
      } else if (!first.equals(second)) {
        shell.line("column " + name + ": " + first.text() + " and " + second.text());
        same = false;
      } else if (ArrowMapping.readable(first)) {
        common.add(name);
      } else {
        shell.line("column " + name + ": " + first.text() + ", not compared");
      }
    }
    if (!common.isEmpty()) {
      common.sort(
          (p, q) ->
              Integer.compare(
                  List.copyOf(x.columns().keySet()).indexOf(p),
                  List.copyOf(x.columns().keySet()).indexOf(q)));
      same &= compare(x, y, common, allocator);
    }
    return same;
  }

  /** The rows of one part as texts of their values, one after the other. */
  private final class Rows implements AutoCloseable {
    private final BatchStream batches;
    private final List<ValueText> texts = new ArrayList<>();
    private final List<String> columns;
    private int row;
    private int end;

    Rows(LoadedPart part, List<String> columns, BufferAllocator allocator) throws IOException {
      this.columns = columns;
      this.batches = Scan.of(part).columns(columns).open(allocator);
      for (String column : columns) {
        texts.add(ValueText.of(part.columns().get(column), ValueText.Style.TSV, options.zone()));
      }
    }

    boolean next() throws IOException {
      row++;
      while (row >= end) {
        if (!batches.next()) {
          return false;
        }
        row = 0;
        end = batches.batch().getRowCount();
      }
      return true;
    }

    void value(int column, TextBuffer to) {
      to.clear();
      FieldVector vector = batches.batch().getVector(columns.get(column));
      texts.get(column).append(vector, row, to);
    }

    @Override
    public void close() throws IOException {
      batches.close();
    }
  }

  private boolean compare(
      LoadedPart x, LoadedPart y, List<String> columns, BufferAllocator allocator)
      throws IOException {
    long rows = 0;
    long differing = 0;
    try (Rows left = new Rows(x, columns, allocator);
        Rows right = new Rows(y, columns, allocator)) {
      TextBuffer p = new TextBuffer();
      TextBuffer q = new TextBuffer();
      while (true) {
        boolean more = left.next();
        if (more != right.next()) {
          shell.line(
              "rows: "
                  + Amounts.count(x.rowCount())
                  + " in A and "
                  + Amounts.count(y.rowCount())
                  + " in B; the first "
                  + Amounts.count(rows)
                  + " were compared, "
                  + Amounts.count(differing)
                  + " differ");
          return false;
        }
        if (!more) {
          break;
        }
        boolean equal = true;
        for (int i = 0; i < columns.size(); i++) {
          left.value(i, p);
          right.value(i, q);
          byte[] first = p.toByteArray();
          byte[] second = q.toByteArray();
          if (!java.util.Arrays.equals(first, second)) {
            equal = false;
            if (differing < MOST_ROWS_SHOWN) {
              shell.line(
                  "row "
                      + rows
                      + ", "
                      + columns.get(i)
                      + ": "
                      + shown(first)
                      + " and "
                      + shown(second));
            }
          }
        }
        differing += equal ? 0 : 1;
        rows++;
      }
    } catch (EngineException e) {
      shell.line("rows: not compared to the end: " + Words.of(e));
      return false;
    }
    shell.line(
        differing == 0
            ? "rows: all "
                + Amounts.count(rows)
                + " equal in "
                + Amounts.count(columns.size(), "column")
            : "rows: " + Amounts.count(differing) + " of " + Amounts.count(rows) + " differ");
    return differing == 0;
  }

  private static String shown(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    return text.length() > 60 ? text.substring(0, 60) + "…" : text;
  }
}
