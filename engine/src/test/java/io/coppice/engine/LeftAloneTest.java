package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.catalog.Unserved;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.CreateDatabase;
import io.coppice.language.statement.TableName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an engine leaves alone: everything, opened to read only; and what it does not serve. */
class LeftAloneTest {
  private static final String CREATE = "CREATE TABLE t (a Int64) ENGINE = MergeTree ORDER BY a";

  private static final Map<String, String> OTHERS =
      Map.of(
          "log",
          "ATTACH TABLE _ UUID '00000000-0000-4000-8000-000000000001' (`x` String) ENGINE = Log",
          "view",
          "ATTACH VIEW _ UUID '00000000-0000-4000-8000-000000000002' (`a` Int64) AS SELECT a FROM"
              + " default.t",
          "fed",
          """
          ATTACH MATERIALIZED VIEW _ UUID '00000000-0000-4000-8000-000000000003' TO default.log
          (
              `x` String
          )
          AS SELECT toString(a) AS x
          FROM default.t
          WHERE a > 1\
          """,
          "dictionary",
          "ATTACH DICTIONARY _ UUID '00000000-0000-4000-8000-000000000004' (`a` Int64) PRIMARY KEY"
              + " a",
          "damaged",
          "ATTACH TABLE _ UUID '00000000-0000-4000-8000-000000000005' (`a` Int");

  @TempDir Path directory;

  private SortedMap<String, Integer> contents() throws IOException {
    SortedMap<String, Integer> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        int content = Files.isRegularFile(file) ? Arrays.hashCode(Files.readAllBytes(file)) : 0;
        contents.put(directory.relativize(file).toString(), content);
      }
    }
    return contents;
  }

  private Path dataOf(Engine engine, String table) {
    String uuid = engine.table(table).entry().uuid().toString();
    return directory.resolve("store").resolve(uuid.substring(0, 3)).resolve(uuid);
  }

  private static TableName named(String table) {
    return TableName.of("default", table);
  }

  private static void refused(ErrorCode code, ThrowingCallable what) {
    assertThatThrownBy(what)
        .isInstanceOfSatisfying(EngineException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void nothingIsChangedByReadingOnly() throws IOException {
    Path data;
    try (Engine engine = Engine.open(directory)) {
      Table table = engine.createTable(CREATE);
      for (int i = 1; i <= 3; i++) {
        EngineTest.insert(table, engine.allocator(), i);
      }
      data = dataOf(engine, "t");
    }
    Path broken = data.resolve("all_2_2_0/data.bin");
    Files.write(broken, Arrays.copyOf(Files.readAllBytes(broken), 7));
    for (String left :
        List.of("tmp_insert_9", "tmp_mut_all_1_1_0_4/x", "deleting_all_9_9_0", "tmp-fetch_1")) {
      Files.createDirectories(data.resolve(left));
    }
    Files.createDirectories(data.resolve("detached/deleting_all_7_7_0"));
    Files.delete(data.resolve("format_version.txt"));
    SortedMap<String, Integer> before = contents();
    try (Engine engine = Engine.open(EngineConfig.at(directory).withReadOnly(true))) {
      Table table = engine.table("t");
      assertThat(EngineTest.read(table, engine.allocator(), "a")).containsExactly(1L, 3L);
      refused(ErrorCode.READONLY, () -> EngineTest.insert(table, engine.allocator(), 4));
      refused(ErrorCode.READONLY, () -> engine.createTable("CREATE TABLE u AS t"));
      refused(ErrorCode.READONLY, () -> engine.truncateTable(named("t"), false));
    }
    assertThat(contents()).isEqualTo(before);
    try (Engine engine = Engine.open(directory)) {
      assertThat(engine.table("t").rowCount()).isEqualTo(2);
      assertThat(data.resolve("detached/broken-on-start_all_2_2_0")).exists();
      assertThat(data.resolve("tmp_insert_9")).doesNotExist();
    }
  }

  @Test
  void aDirectoryThatIsNotThereIsNotMadeByReadingOnly() {
    Path absent = directory.resolve("absent");
    refused(
        ErrorCode.FILE_DOESNT_EXIST,
        () -> Engine.open(EngineConfig.at(absent).withReadOnly(true)).close());
    assertThat(absent).doesNotExist();
  }

  private Path describeOthers() throws IOException {
    Path tables;
    try (Engine engine = Engine.open(directory)) {
      engine.createTable(CREATE);
      tables = Path.of(engine.metadataPath(engine.databaseEntries().get(0)));
    }
    for (Map.Entry<String, String> other : OTHERS.entrySet()) {
      Files.writeString(tables.resolve(other.getKey() + ".sql"), other.getValue());
    }
    return tables;
  }

  @Test
  void namesOfWhatIsNotServedAreTaken() throws IOException {
    Path tables = describeOthers();
    Path lazy = directory.resolve("metadata/lazy.sql");
    Files.writeString(lazy, "ATTACH DATABASE lazy ENGINE = Lazy(10)");
    try (Engine engine = Engine.open(directory)) {
      assertThat(engine.unserved())
          .extracting(Unserved::name)
          .containsExactlyInAnyOrder(
              "lazy",
              "default.log",
              "default.view",
              "default.fed",
              "default.dictionary",
              "default.damaged");
      for (String name : OTHERS.keySet()) {
        String create = CREATE.substring(CREATE.indexOf('('));
        for (String start :
            List.of("CREATE TABLE ", "CREATE TABLE IF NOT EXISTS ", "CREATE OR REPLACE TABLE ")) {
          refused(
              ErrorCode.TABLE_ALREADY_EXISTS,
              () -> engine.createTable(start + name + " " + create));
        }
        refused(ErrorCode.TABLE_ALREADY_EXISTS, () -> engine.renameTable(named("t"), named(name)));
        refused(ErrorCode.NOT_IMPLEMENTED, () -> engine.table(name));
        assertThatThrownBy(() -> engine.exchangeTables(named("t"), named(name)))
            .isInstanceOf(EngineException.class);
        assertThatThrownBy(() -> engine.dropTable(name)).isInstanceOf(EngineException.class);
      }
      refused(ErrorCode.DATABASE_NOT_EMPTY, () -> engine.dropDatabase("default", false));
      refused(
          ErrorCode.DATABASE_ALREADY_EXISTS,
          () ->
              engine.createDatabase(
                  (CreateDatabase) Parser.statement("CREATE DATABASE IF NOT EXISTS lazy")));
      engine.renameDatabase("default", "other");
      refused(
          ErrorCode.TABLE_ALREADY_EXISTS,
          () -> engine.createTable("CREATE TABLE other.log AS other.t"));
    }
    for (Map.Entry<String, String> other : OTHERS.entrySet()) {
      assertThat(tables.resolve(other.getKey() + ".sql")).hasContent(other.getValue());
    }
    assertThat(lazy).hasContent("ATTACH DATABASE lazy ENGINE = Lazy(10)");
  }

  @Test
  void rowsThatAMaterializedViewIsToGetAreNotKeptFromItUnasked() throws IOException {
    describeOthers();
    try (Engine engine = Engine.open(directory)) {
      Table t = engine.table("t");
      refused(ErrorCode.NOT_IMPLEMENTED, () -> EngineTest.insert(t, engine.allocator(), 1));
      assertThatThrownBy(() -> EngineTest.insert(t, engine.allocator(), 1))
          .hasMessageContaining("default.fed, a materialized view");
      t.insert(InsertSettings.DEFAULT.withoutViews(true)).close();
      Table free = engine.createTable("CREATE TABLE u AS t");
      EngineTest.insert(free, engine.allocator(), 1);
      assertThat(engine.unserved())
          .filteredOn(each -> each.fedBy().isPresent())
          .extracting(Unserved::fedBy)
          .containsExactly(Optional.of(named("t")));
    }
  }
}
