package io.coppice.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.coppice.base.bytes.Memory;
import io.coppice.base.disk.ReadableFile;
import io.coppice.base.error.EngineException;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Encoding.Mode;
import io.coppice.parts.column.Encoding.Substream;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.CompressionMethod;
import io.coppice.parts.format.ChecksumsFile;
import io.coppice.parts.format.SerializationFile;
import io.coppice.parts.format.UuidFile;
import io.coppice.parts.inspect.CompactSizes;
import io.coppice.parts.inspect.PartSizes;
import io.coppice.parts.name.PartName;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "info",
    description =
        "Tells what parts are: rows, columns with codec and sizes, marks, index, the three hashes.",
    mixinStandardHelpOptions = true)
final class InfoCommand implements Callable<Integer> {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Shell shell;

  @Mixin private PartOptions options;

  @Parameters(arity = "1..*", paramLabel = "PART", description = "Parts, or what holds them.")
  private List<Path> parts;

  @Option(names = "--json", description = "As JSON: an array with an object per part.")
  private boolean json;

  InfoCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws Exception {
    options.check();
    ArrayNode all = JSON.createArrayNode();
    boolean sound = true;
    try (PartPaths paths = new PartPaths(shell::note);
        BufferAllocator allocator = new RootAllocator()) {
      List<PartPaths.Found> found = new ArrayList<>();
      for (Path argument : parts) {
        try {
          found.addAll(paths.find(argument));
        } catch (EngineException | IOException e) {
          sound = false;
          wrong(argument.toString(), Optional.empty(), e, all);
        }
      }
      for (PartPaths.Found part : found) {
        try {
          ObjectNode one = describe(part, allocator);
          if (!json) {
            if (!all.isEmpty()) {
              shell.line("");
            }
            print(one);
          }
          all.add(one);
        } catch (EngineException | IOException e) {
          sound = false; // the others are told of all the same
          wrong(part.label(), Optional.of(part.name()), e, all);
        }
      }
    }
    if (json) {
      shell.json(JSON.writeValueAsString(all));
    }
    return sound ? 0 : Main.WRONG;
  }

  /** Tells of a part that cannot be described: as an error, and in JSON in the part's place. */
  private void wrong(String path, Optional<String> part, Exception e, ArrayNode all) {
    String words = Words.of(e);
    shell.error(words.contains(path) ? words : path + ": " + words);
    if (part.isPresent()) {
      ObjectNode node = all.addObject();
      node.put("name", part.get());
      node.put("path", path);
      node.put("error", words);
      if (e instanceof EngineException engine) {
        node.put("error_code", engine.code().name());
      }
    }
  }

  private ObjectNode describe(PartPaths.Found found, BufferAllocator allocator) throws IOException {
    Optional<TableDefinition> table = options.table(found, shell);
    LoadedPart part = PartOptions.open(found, table, allocator);
    ObjectNode node = JSON.createObjectNode();
    node.put("name", found.name());
    node.put("path", found.label());
    Optional<PartName> name =
        PartName.tryParse(found.name()).or(() -> PartName.tryParseWithDays(found.name()));
    if (name.isPresent()) {
      node.put("partition_id", name.get().partition());
      node.put("min_block", name.get().minBlock());
      node.put("max_block", name.get().maxBlock());
      node.put("level", name.get().level());
      node.put("data_version", name.get().dataVersion());
    }
    if (part.files().containsKey(UuidFile.NAME)) {
      byte[] bytes = found.disk().readAll(UuidFile.NAME, UuidFile.LIMIT_BYTES);
      node.put("uuid", UuidFile.read(bytes, UuidFile.NAME).uuid().toString());
    }
    node.put("type", part.compact() ? "Compact" : "Wide");
    node.put("rows", part.rowCount());
    node.put("granules", part.granuleCount());
    node.put("marks_format", part.markFormat().extension());
    node.put("default_codec", part.defaultCodec().map(CodecChain::text).orElse(""));
    sizes(part, node);
    node.set("columns", columns(found, part, table, allocator));
    node.set("skip_indexes", named(part, "skp_idx_"));
    ArrayNode projections = JSON.createArrayNode();
    part.checksums()
        .ifPresent(
            sums ->
                sums.files().keySet().stream()
                    .filter(f -> f.endsWith(".proj"))
                    .forEach(f -> projections.add(f.substring(0, f.length() - 5))));
    node.set("projections", projections);
    if (part.checksums().isPresent()) {
      ChecksumsFile sums = part.checksums().get();
      node.put("hash_of_all_files", sums.hashOfAllFiles().numberHex());
      node.put("hash_of_uncompressed_files", sums.hashOfUncompressedFiles().numberHex());
      node.put(
          "uncompressed_hash_of_compressed_files",
          sums.uncompressedHashOfCompressedFiles().numberHex());
    }
    table.ifPresent(
        t -> {
          ObjectNode keys = node.putObject("table");
          keys.put("name", t.name());
          keys.put("sorting_key", texts(t.sortingKey()));
          keys.put("primary_key", texts(t.primaryKey()));
          keys.put("partition_key", texts(t.partitionKey()));
        });
    return node;
  }

  private static String texts(List<io.coppice.language.expression.Expression> expressions) {
    return expressions.stream()
        .map(io.coppice.language.expression.Expression::text)
        .collect(java.util.stream.Collectors.joining(", "));
  }

  private static void sizes(LoadedPart part, ObjectNode node) {
    PartSizes sizes = PartSizes.of(part);
    node.put("bytes_on_disk", part.files().values().stream().mapToLong(Long::longValue).sum());
    node.put("data_compressed_bytes", sizes.data().compressed());
    node.put("data_uncompressed_bytes", sizes.data().uncompressed());
    node.put("marks_bytes", sizes.marks());
    node.put("primary_index_bytes", sizes.primaryIndex());
  }

  private static ArrayNode named(LoadedPart part, String prefix) {
    ArrayNode names = JSON.createArrayNode();
    java.util.TreeSet<String> seen = new java.util.TreeSet<>();
    for (String file : part.files().keySet()) {
      int dot = file.indexOf('.');
      if (file.startsWith(prefix) && dot > 0) {
        String name = file.substring(prefix.length(), dot);
        seen.add(io.coppice.parts.name.FileNames.tryUnescape(name).orElse(name));
      }
    }
    seen.forEach(names::add);
    return names;
  }

  private static ArrayNode columns(
      PartPaths.Found found,
      LoadedPart part,
      Optional<TableDefinition> table,
      BufferAllocator allocator)
      throws IOException {
    Optional<CompactSizes> compact =
        part.compact() ? Optional.of(CompactSizes.of(part, allocator)) : Optional.empty();
    ArrayNode nodes = JSON.createArrayNode();
    for (Map.Entry<String, DataType> column : part.columns().entrySet()) {
      ObjectNode node = nodes.addObject();
      node.put("name", column.getKey());
      node.put("type", column.getValue().text());
      boolean sparse =
          part.serialization()
              .flatMap(s -> s.info(column.getKey()))
              .map(i -> i.kind() == SerializationFile.Kind.SPARSE)
              .orElse(false);
      node.put("serialization", sparse ? "Sparse" : "Default");
      Optional<String> declared =
          table.flatMap(t -> t.column(column.getKey())).flatMap(ColumnDefinition::codec);
      declared.ifPresent(codec -> node.put("codec", codec));
      if (!part.compact() && ArrowMapping.readable(column.getValue())) {
        wide(found, part, column.getKey(), column.getValue(), node);
      }
      if (compact.isPresent()) {
        compact(found, compact.get(), nodes.size() - 1, node);
      }
    }
    return nodes;
  }

  private static void compact(
      PartPaths.Found found, CompactSizes sizes, int column, ObjectNode node) throws IOException {
    node.put("compressed_bytes", sizes.compressedBytes(column));
    node.put("uncompressed_bytes", sizes.uncompressedBytes(column));
    OptionalLong frame = sizes.firstFrame(column);
    node.put("methods", frame.isEmpty() ? "" : method(found, "data.bin", frame.getAsLong()));
  }

  private static void wide(
      PartPaths.Found found, LoadedPart part, String column, DataType type, ObjectNode node)
      throws IOException {
    PartSizes.OfColumn sizes = PartSizes.wide(part, column);
    List<String> methods = new ArrayList<>();
    for (Substream stream : Encodings.streams(column, type, part.options(column, Mode.WIDE))) {
      Optional<String> stem = part.fileOf(stream);
      if (stem.isEmpty() || stream.service()) {
        continue;
      }
      String method = method(found, stem.get() + ".bin", 0);
      if (!method.isEmpty() && !methods.contains(method)) {
        methods.add(method);
      }
    }
    node.put("compressed_bytes", sizes.data().compressed());
    node.put("uncompressed_bytes", sizes.data().uncompressed());
    node.put("marks_bytes", sizes.marks());
    node.put("methods", String.join(", ", methods));
  }

  /** The method of a frame of a file, as its head says. */
  private static String method(PartPaths.Found found, String file, long offset) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(64);
    int n;
    try (ReadableFile in = found.disk().open(file)) {
      n = in.read(offset, head);
    }
    if (n < 25) {
      return "";
    }
    byte[] bytes = head.array();
    int first = Memory.getByte(bytes, 16) & 0xFF;
    boolean multiple =
        CompressionMethod.of(first).map(m -> m == CompressionMethod.MULTIPLE).orElse(false);
    if (!multiple) {
      return described(first);
    }
    List<String> chain = new ArrayList<>();
    int count = Math.min(bytes[25] & 0xFF, 16);
    for (int i = 0; i < count && 26 + i < n; i++) {
      chain.add(described(bytes[26 + i] & 0xFF));
    }
    return String.join(" + ", chain);
  }

  private static String described(int methodByte) {
    return CompressionMethod.of(methodByte)
        .map(Enum::name)
        .orElseGet(() -> String.format("unknown method 0x%02x", methodByte));
  }

  private void print(ObjectNode node) {
    shell.line(node.get("path").asText());
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("name", node.get("name").asText());
    if (node.has("partition_id")) {
      lines.put("partition", node.get("partition_id").asText());
      lines.put(
          "blocks",
          node.get("min_block").asText()
              + " to "
              + node.get("max_block").asText()
              + ", level "
              + node.get("level").asText()
              + ", data version "
              + node.get("data_version").asText());
    }
    if (node.has("uuid")) {
      lines.put("uuid", node.get("uuid").asText());
    }
    lines.put("type", node.get("type").asText());
    lines.put(
        "rows",
        Amounts.count(node.get("rows").asLong())
            + " in "
            + Amounts.count(node.get("granules").asLong(), "granule"));
    lines.put("marks", node.get("marks_format").asText() + ", " + size(node, "marks_bytes"));
    lines.put("primary index", size(node, "primary_index_bytes"));
    lines.put("on disk", size(node, "bytes_on_disk"));
    lines.put(
        "data",
        size(node, "data_compressed_bytes")
            + ", uncompressed "
            + size(node, "data_uncompressed_bytes"));
    if (!node.get("default_codec").asText().isEmpty()) {
      lines.put("default codec", node.get("default_codec").asText());
    }
    if (node.has("table")) {
      lines.put("order by", node.get("table").get("sorting_key").asText());
      lines.put("partition by", node.get("table").get("partition_key").asText());
    }
    list(node, "skip_indexes", "skip indexes", lines);
    list(node, "projections", "projections", lines);
    if (node.has("hash_of_all_files")) {
      lines.put("hash of all files", node.get("hash_of_all_files").asText());
      lines.put("… of uncompressed", node.get("hash_of_uncompressed_files").asText());
      lines.put("… of what is inside", node.get("uncompressed_hash_of_compressed_files").asText());
    }
    lines.forEach((key, value) -> shell.line(String.format("  %-20s %s", key, value)));
    shell.line("  columns");
    int widest =
        Math.min(
            30,
            java.util.stream.StreamSupport.stream(node.get("columns").spliterator(), false)
                .mapToInt(c -> Math.max(1, c.get("name").asText().length()))
                .max()
                .orElse(1));
    node.get("columns")
        .forEach(
            column -> {
              StringBuilder line = new StringBuilder();
              line.append(
                  String.format(
                      "    %-" + widest + "s  %s",
                      column.get("name").asText(),
                      column.get("type").asText()));
              if (column.get("serialization").asText().equals("Sparse")) {
                line.append(", sparse");
              }
              if (column.has("compressed_bytes")) {
                String methods = column.get("methods").asText();
                line.append(methods.isEmpty() ? "" : ", " + methods);
                line.append(", ").append(Amounts.bytes(column.get("compressed_bytes").asLong()));
                line.append(" of ")
                    .append(Amounts.bytes(column.get("uncompressed_bytes").asLong()));
              }
              if (column.has("codec")) {
                line.append(", ").append(column.get("codec").asText());
              }
              shell.line(line.toString());
            });
  }

  private static String size(ObjectNode node, String field) {
    return Amounts.bytes(node.get(field).asLong());
  }

  private static void list(ObjectNode node, String field, String label, Map<String, String> to) {
    List<String> names = new ArrayList<>();
    node.get(field).forEach(n -> names.add(n.asText()));
    if (!names.isEmpty()) {
      to.put(label, String.join(", ", names));
    }
  }
}
