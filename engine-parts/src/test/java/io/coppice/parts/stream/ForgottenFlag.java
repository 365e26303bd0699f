package io.coppice.parts.stream;

import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.time.TimeSource;
import io.coppice.parts.inspect.PartInspector;
import io.coppice.parts.nativeformat.NativeReader;
import io.coppice.parts.nativeformat.NativeWriter;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.PartReader;
import io.coppice.parts.set.PartSet;
import io.coppice.parts.set.PartSetSettings;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.text.BatchReader;
import io.coppice.parts.text.BatchWriter;
import io.coppice.parts.text.DataFormat;
import io.coppice.parts.write.PartBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** Enters the library by each of its doors and prints what came of it. */
final class ForgottenFlag {
  private ForgottenFlag() {}

  private interface Door {
    void enter() throws Exception;
  }

  private static void enter(String name, Door door) throws Exception {
    try {
      door.enter();
      System.out.println(name + " opened");
    } catch (EngineException e) {
      System.out.println(name + " " + e.code().number() + " " + e.getMessage());
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    LocalDisk disk = new LocalDisk(directory);
    TableDefinition table =
        TableDefinition.parse(
            "CREATE TABLE t (a Int8) ENGINE = MergeTree ORDER BY a", Profile.MODERN);
    var in = new ByteArrayInputStream(new byte[0]);
    var out = new ByteArrayOutputStream();
    try (BufferAllocator allocator = new RootAllocator()) {
      enter("PartReader", () -> PartReader.open(directory, allocator));
      enter("LoadedPart", () -> LoadedPart.open(disk, "p", LoadedPart.Hints.NONE, allocator));
      enter("PartBuilder", () -> PartBuilder.open(table, disk, allocator).close());
      enter("PartInspector", () -> PartInspector.of(disk, "p"));
      enter(
          "PartSet",
          () ->
              PartSet.load(
                  disk, PartSetSettings.DEFAULTS, allocator, Runnable::run, TimeSource.system()));
      enter(
          "BatchReader",
          () ->
              BatchReader.open(
                      DataFormat.TSV, in, "in", table, BatchReader.Options.DEFAULT, allocator)
                  .close());
      enter(
          "BatchWriter",
          () ->
              BatchWriter.open(
                      DataFormat.TSV, out, new Schema(List.of()), ZoneOffset.UTC, allocator)
                  .close());
      enter(
          "NativeReader", () -> new NativeReader(Channels.newChannel(in), "in", allocator).close());
      enter("NativeWriter", () -> new NativeWriter(Channels.newChannel(out), allocator).close());
    }
  }
}
