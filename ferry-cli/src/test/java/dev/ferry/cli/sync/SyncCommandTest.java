package dev.ferry.cli.sync;

import static dev.ferry.cli.sync.SyncFolders.write;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.ferry.cli.Outcome;
import dev.ferry.cli.Servers;
import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.cli.sync.SyncFolders.Way;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** sync, over real servers. */
@Timeout(300)
final class SyncCommandTest {
  private static final List<String> NAMES =
      List.of("a.csv", "b.txt", "sub/c.csv", "sub/deep/d.csv", "sub/ü e.txt");

  /** A time with milliseconds. */
  private static final Instant TIME = Instant.parse("2020-01-02T03:04:05.678Z");

  @TempDir Path root;
  @TempDir Path local;
  private TroubledStore store;
  private Servers servers;
  private SyncFolders folders;

  /** A store that does not read, write or list what has a certain name. */
  private static final class TroubledStore extends ForwardingStore {
    private volatile String trouble = "none";

    TroubledStore(Path root) throws FerryException {
      super(LocalFileStore.open(root));
    }

    private void require(StorePath path) throws FerryException {
      if (path.value().endsWith(trouble)) {
        throw new FerryException(ErrorKind.PERMISSION_DENIED, path + ": is in trouble");
      }
    }

    @Override
    public FileSource open(StorePath path) throws FerryException {
      require(path);
      return super.open(path);
    }

    @Override
    public FileSink create(StorePath path, CreateOptions options) throws FerryException {
      require(path);
      return super.create(path, options);
    }

    @Override
    public Listing list(StorePath directory) throws FerryException {
      require(directory);
      return super.list(directory);
    }
  }

  @BeforeEach
  void start() throws Exception {
    store = new TroubledStore(root);
    servers = Servers.start(store);
    folders = new SyncFolders(root, local, servers);
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  private Path source(Way way) {
    return folders.source(way);
  }

  private Path target(Way way) {
    return folders.target(way);
  }

  private Outcome sync(CarrierChoice carrier, Way way, String... options) {
    return folders.sync(carrier, way, options);
  }

  private void assertSync(String summary, Way way, String... options) {
    Outcome outcome = sync(CarrierChoice.GRPC, way, options);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains(": " + summary + ", ");
    assertThat(outcome.exitCode()).isZero();
  }

  private static void fill(Path folder) throws IOException {
    for (String name : NAMES) {
      write(folder.resolve(name), name, TIME);
    }
    Files.createDirectories(folder.resolve("empty"));
  }

  private static long millis(Path file) throws IOException {
    return Files.getLastModifiedTime(file).toMillis();
  }

  @ParameterizedTest
  @EnumSource(names = {"GRPC", "HTTP"})
  void sync_upAndDown_copiesAllWithItsTimesAndThenNothing(CarrierChoice carrier) throws Exception {
    Path source = source(Way.UP);
    fill(source);
    // Over gRPC this time means that it is not known.
    write(source.resolve("epoch"), "epoch", Instant.EPOCH);
    write(source.resolve("whole"), "whole", Instant.parse("2021-01-01T00:00:00Z"));
    Path large = source.resolve("large");
    Files.write(large, TestFiles.random(9_000_000, 1));
    for (String counts : List.of("8 copied, 0 deleted, 0 unch", "0 copied, 0 deleted, 8 unch")) {
      Outcome up = sync(carrier, Way.UP);
      assertThat(up.complaints()).isEmpty();
      assertThat(up.out().strip())
          .matches(source + "/ -> tree/: " + counts + "anged, [0-9.]+ [kM]?B in .*s");
    }
    assertThat(TestFiles.tree(root.resolve("tree"))).isEqualTo(TestFiles.tree(source));
    Path original = local.resolve("original");
    Files.move(source, original);
    for (String counts : List.of("8 copied, 0 deleted, 0 unch", "0 copied, 0 deleted, 8 unch")) {
      Outcome down = sync(carrier, Way.DOWN);
      assertThat(down.complaints()).isEmpty();
      assertThat(down.out()).startsWith("tree/ -> " + source + "/: " + counts);
    }
    assertThat(TestFiles.tree(source)).isEqualTo(TestFiles.tree(original));
    for (String name : NAMES) {
      assertThat(source.resolve(name)).hasContent(name);
      assertThat(millis(source.resolve(name))).isEqualTo(TIME.toEpochMilli());
      assertThat(millis(root.resolve("tree").resolve(name))).isEqualTo(TIME.toEpochMilli());
    }
    assertThat(Files.mismatch(source.resolve("large"), original.resolve("large"))).isEqualTo(-1);
    assertThat(millis(source.resolve("large"))).isEqualTo(millis(original.resolve("large")));
  }

  @ParameterizedTest
  @EnumSource
  void sync_changedFiles_replacesThem(Way way) throws Exception {
    Path source = source(way);
    fill(source);
    assertSync("5 copied, 0 deleted, 0 unchanged", way);
    write(source.resolve("a.csv"), "another size", TIME);
    write(source.resolve("sub/c.csv"), "sub/C.CSV", TIME.plusMillis(1));
    assertSync("2 copied, 0 deleted, 3 unchanged", way);
    assertThat(target(way).resolve("a.csv")).hasContent("another size");
    assertThat(target(way).resolve("sub/c.csv")).hasContent("sub/C.CSV");
    // Some file systems keep whole seconds.
    for (String name : NAMES) {
      Instant second = Instant.ofEpochSecond(TIME.getEpochSecond());
      Files.setLastModifiedTime(target(way).resolve(name), FileTime.from(second));
    }
    assertSync("0 copied, 0 deleted, 5 unchanged", way);
  }

  @ParameterizedTest
  @CsvSource({"UP,GRPC", "UP,HTTP", "DOWN,GRPC", "DOWN,HTTP"})
  void sync_executeBit_isGivenAndNotTaken(Way way, CarrierChoice carrier) throws Exception {
    fill(source(way));
    assertSync("5 copied, 0 deleted, 0 unchanged", way);
    assertThat(source(way).resolve("a.csv").toFile().setExecutable(true)).isTrue();
    assertThat(sync(carrier, way).out()).contains(": 1 copied, 0 deleted, 4 unchanged, ");
    assertThat(target(way).resolve("a.csv")).isExecutable();
    assertThat(Files.isExecutable(target(way).resolve("b.txt"))).isFalse();
    assertThat(source(way).resolve("a.csv").toFile().setExecutable(false)).isTrue();
    assertThat(sync(carrier, way).out()).contains(": 0 copied, 0 deleted, 5 unchanged, ");
  }

  @ParameterizedTest
  @CsvSource({"UP,GRPC", "UP,HTTP", "DOWN,GRPC", "DOWN,HTTP"})
  void sync_privateFilesAndFolders_stayPrivateAlsoInTheBackup(Way way, CarrierChoice carrier)
      throws Exception {
    fill(source(way));
    TestFiles.permit(source(way).resolve("sub"), "rwx------");
    TestFiles.permit(source(way).resolve("a.csv"), "rw-------");
    Files.createSymbolicLink(source(way).resolve("sub/link"), Path.of("c.csv"));
    assertThat(sync(carrier, way, "--links").out()).contains(": 6 copied, ");
    assertThat(TestFiles.permissions(target(way).resolve("sub"))).isEqualTo("rwx------");
    assertThat(TestFiles.permissions(target(way).resolve("a.csv"))).isEqualTo("rw-------");
    // A file that was private here alone, in a folder that is private here alone.
    TestFiles.permit(source(way).resolve("a.csv"), "rw-r--r--");
    TestFiles.permit(target(way).resolve("sub/deep"), "rwx------");
    write(source(way).resolve("a.csv"), "another", TIME);
    write(source(way).resolve("sub/deep/d.csv"), "another", TIME);
    assertThat(sync(carrier, way, "--backup-dir=../kept").out()).contains(": 2 copied, ");
    Path kept = target(way).resolveSibling("kept");
    assertThat(TestFiles.permissions(target(way).resolve("a.csv"))).isEqualTo("rw-------");
    assertThat(TestFiles.permissions(kept.resolve("a.csv"))).isEqualTo("rw-------");
    assertThat(TestFiles.permissions(kept.resolve("sub"))).isEqualTo("rwx------");
    assertThat(TestFiles.permissions(kept.resolve("sub/deep"))).isEqualTo("rwx------");
  }

  @ParameterizedTest
  @CsvSource({"UP,GRPC", "UP,HTTP", "DOWN,GRPC", "DOWN,HTTP"})
  void sync_links_makesThemLikeThoseOfTheSource(Way way, CarrierChoice carrier) throws Exception {
    fill(source(way));
    Path link = Files.createSymbolicLink(source(way).resolve("link"), Path.of("sub/deep"));
    Files.createSymbolicLink(source(way).resolve("sub/up"), Path.of("../a.csv"));
    String[] options = {"--links", "--delete"};
    assertThat(sync(carrier, way, "--links", "--dry-run").out()).contains("7 copied");
    assertThat(sync(carrier, way, options).out()).contains(": 7 copied, 0 deleted, 0 unchanged");
    assertThat(sync(carrier, way, options).out()).contains(": 0 copied, 0 deleted, 7 unchanged");
    assertThat(Files.readSymbolicLink(target(way).resolve("sub/up")))
        .isEqualTo(Path.of("../a.csv"));
    Files.delete(link);
    Files.createSymbolicLink(link, Path.of("b.txt"));
    Files.delete(source(way).resolve("sub/up"));
    assertThat(sync(carrier, way, options).out()).contains(": 1 copied, 1 deleted, 5 unchanged");
    assertThat(Files.readSymbolicLink(target(way).resolve("link"))).isEqualTo(Path.of("b.txt"));
    assertThat(target(way).resolve("a.csv")).hasContent("a.csv");
    // A file in the place of a link, and a link that leads out.
    Files.delete(link);
    write(link, "file", TIME);
    Files.createSymbolicLink(source(way).resolve("out"), Path.of(".."));
    Outcome last = sync(carrier, way, options);
    assertThat(last.out()).contains(": 1 copied, 0 deleted, 5 unchanged, 1 left out");
    assertThat(target(way).resolve("link")).isRegularFile().hasContent("file");
    assertThat(target(way).resolve("b.txt")).hasContent("b.txt");
  }

  @ParameterizedTest
  @EnumSource
  void sync_compareChecksums_seesContentAndNoTimes(Way way) throws Exception {
    Path source = source(way);
    fill(source);
    assertSync("5 copied, 0 deleted, 0 unchanged", way);
    // Of a file that is rewritten with its former time, a server would still know the old checksum.
    Path here = local.resolve("tree");
    write(here.resolve("a.csv"), "A.CSV", TIME);
    Files.setLastModifiedTime(here.resolve("b.txt"), FileTime.from(TIME.plusSeconds(9)));
    String option = "--compare-checksums";
    assertThat(sync(CarrierChoice.GRPC, way, "--dry-run").out()).contains("b.txt -> ", "1 copied");
    assertThat(sync(CarrierChoice.HTTP, way, option, "--dry-run").out())
        .contains("a.csv -> ", "1 copied");
    assertSync("1 copied, 0 deleted, 4 unchanged", way, option);
    assertThat(target(way).resolve("a.csv")).hasContent(way == Way.UP ? "A.CSV" : "a.csv");
  }

  @ParameterizedTest
  @EnumSource
  void sync_dryRun_saysWhatItWouldDoAndChangesNothing(Way way) throws Exception {
    fill(source(way));
    assertThat(sync(CarrierChoice.GRPC, way, "--dry-run", "--delete").out())
        .contains(": 5 copied, 0 deleted, 0 unchanged, ", "; a dry run, nothing was changed");
    assertThat(target(way)).doesNotExist();
    write(target(way).resolve("old/x"), "x", TIME);
    List<String> before = TestFiles.tree(target(way));
    Outcome outcome = sync(CarrierChoice.HTTP, way, "--dry-run", "--delete", "--quiet");
    String target = way == Way.UP ? "tree" : target(way).toString();
    assertThat(outcome.out().lines())
        .hasSize(7)
        .contains("would delete " + target + "/old/", "would delete " + target + "/old/x")
        .anyMatch(line -> line.endsWith(" -> " + target + "/sub/ü e.txt, 12 bytes"));
    assertThat(TestFiles.tree(target(way))).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({"UP, GRPC", "UP, HTTP", "DOWN, GRPC"})
  void sync_delete_deletesWhatTheSourceLacksExceptWhatIsExcluded(Way way, CarrierChoice carrier)
      throws Exception {
    Path target = target(way);
    fill(source(way));
    for (String extra :
        List.of("extra", "sub/extra", "old/x", "old/deep/y", "mixed/z", "mixed/a.log", "no/x")) {
      write(target.resolve(extra), extra, TIME);
    }
    Files.createDirectories(target.resolve("hollow"));
    // A link is deleted, and not what it leads to. A server lists that as a folder.
    Path elsewhere = (way == Way.UP ? root : local).resolve("elsewhere");
    write(elsewhere.resolve("kept"), "kept", TIME);
    Files.createSymbolicLink(target.resolve("link"), elsewhere);
    Files.createSymbolicLink(target.resolve("filelink"), elsewhere.resolve("kept"));
    String[] filter = {"--exclude=*.log", "--exclude=no"};
    assertThat(sync(carrier, way, filter).out()).contains(": 5 copied, 0 deleted, 0 unchanged, ");
    assertThat(TestFiles.tree(target)).contains("extra", "old/deep/y", "hollow/", "link/");
    Outcome outcome = sync(carrier, way, "--delete", filter[0], filter[1]);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).contains(": 0 copied, 10 deleted, 5 unchanged, ");
    assertThat(TestFiles.tree(target))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    TestFiles.tree(source(way)).stream(),
                    Stream.of("mixed/", "mixed/a.log", "no/", "no/x"))
                .toList());
    assertThat(elsewhere.resolve("kept")).hasContent("kept");
  }

  @ParameterizedTest
  @CsvSource({"UP, b.txt", "DOWN, b.txt", "DOWN, sub/deep"})
  void sync_deleteAfterAFailure_deletesNothing(Way way, String trouble) throws Exception {
    fill(source(way));
    Path extra = write(target(way).resolve("extra"), "extra", TIME);
    store.trouble = trouble;
    Outcome outcome = sync(CarrierChoice.GRPC, way, "--delete");
    assertThat(outcome.exitCode()).isEqualTo(10);
    assertThat(outcome.err())
        .contains(trouble + ": is in trouble", "tree/: nothing was deleted, because of")
        .hasLineCount(2);
    assertThat(extra).exists();
    store.trouble = "none";
    assertThat(sync(CarrierChoice.GRPC, way, "--delete").exitCode()).isZero();
    assertThat(TestFiles.tree(target(way))).isEqualTo(TestFiles.tree(source(way)));
  }

  @ParameterizedTest
  @EnumSource
  void sync_withoutSource_isRefusedAndDeletesNothing(Way way) throws Exception {
    Path kept = write(target(way).resolve("kept"), "kept", TIME);
    Outcome missing = sync(CarrierChoice.GRPC, way, "--delete");
    assertThat(missing.exitCode()).isEqualTo(3);
    assertThat(missing.err()).contains("tree: no such folder");
    Files.writeString(source(way), "a file");
    Outcome file = sync(CarrierChoice.HTTP, way, "--delete");
    assertThat(file.exitCode()).isNotZero();
    assertThat(file.err()).contains("tree: is a file, not a folder").hasLineCount(1);
    assertThat(kept).exists();
  }

  @ParameterizedTest
  @EnumSource
  void sync_fileInThePlaceOfAFolder_isRefused(Way way) throws Exception {
    fill(source(way));
    Path inTheWay = write(target(way).resolve("sub"), "file", TIME);
    Outcome file = sync(CarrierChoice.GRPC, way, "--delete");
    assertThat(file.exitCode()).isEqualTo(10);
    assertThat(file.err()).contains("sub: is a file, and a folder in the source; move one");
    Files.delete(inTheWay);
    Files.deleteIfExists(target(way).resolve("a.csv"));
    write(target(way).resolve("a.csv/x"), "file", TIME);
    Outcome folder = sync(CarrierChoice.GRPC, way, "--delete");
    assertThat(folder.exitCode()).isEqualTo(10);
    assertThat(folder.err()).contains("a.csv: is a folder, and a file in the source; move one");
  }

  @Test
  void sync_localLinks_areFilesOrLeftOutAndNeverFollowed() throws Exception {
    Path tree = local.resolve("tree");
    fill(tree);
    Path outside = Files.createDirectory(local.resolve("outside"));
    Files.createSymbolicLink(tree.resolve("filelink"), tree.resolve("a.csv"));
    Files.createSymbolicLink(tree.resolve("loop"), tree);
    write(root.resolve("tree/loop/kept"), "kept", TIME);
    Outcome up = sync(CarrierChoice.GRPC, Way.UP, "--delete");
    assertThat(up.err().strip()).endsWith("loop: left out, it is a symbolic link to no file");
    assertThat(up.exitCode()).isEqualTo(10);
    assertThat(up.out()).contains(": 6 copied, 0 deleted, 0 unchanged, ");
    assertThat(root.resolve("tree/filelink")).hasContent("a.csv");
    assertThat(root.resolve("tree/loop/kept")).exists();
    Files.delete(tree.resolve("loop"));
    Files.createSymbolicLink(tree.resolve("loop"), outside);
    Outcome down = sync(CarrierChoice.GRPC, Way.DOWN, "--delete");
    assertThat(down.exitCode()).isNotZero();
    assertThat(down.err()).contains("loop: is a symbolic link, which is not followed");
    assertThat(outside).isEmptyDirectory();
    assertThat(tree.resolve("loop").toRealPath(LinkOption.NOFOLLOW_LINKS)).isSymbolicLink();
  }

  @Test
  void sync_json_isThatOfItsSchema() throws Exception {
    JsonSchema schema =
        JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
            .getSchema(Files.readString(Path.of("../docs/json/sync.schema.json")));
    write(source(Way.UP).resolve("a"), "a", TIME);
    write(target(Way.UP).resolve("old/b"), "b", TIME);
    for (String option : List.of("--dry-run", "--quiet")) {
      Outcome outcome = sync(CarrierChoice.GRPC, Way.UP, "--delete", "--json", option);
      assertThat(outcome.err()).isEmpty();
      List<String> lines = outcome.out().lines().toList();
      for (String line : lines) {
        assertThat(schema.validate(line, InputFormat.JSON)).as(line).isEmpty();
      }
      boolean dryRun = option.equals("--dry-run");
      assertThat(lines).hasSize(4);
      assertThat(lines.get(0)).startsWith(dryRun ? "{\"action\":\"would-t" : "{\"action\":\"trans");
      assertThat(lines.get(2))
          .isEqualTo(
              "{\"action\":\"%s\",\"target\":\"tree/old\",\"type\":\"folder\"}"
                  .formatted(dryRun ? "would-delete" : "deleted"));
      assertThat(lines.get(3))
          .contains("\"transferred\":1,\"deleted\":2,\"unchanged\":0,\"missing\":0,\"bytes\":1,")
          .endsWith("\"dryRun\":" + dryRun + "}");
    }
  }

  @Test
  void sync_wrongUse_saysSo() {
    Map<String, String> messages =
        Map.of(
            "sync a b", "neither SOURCE nor TARGET is an address; write the one of the server as",
            "sync a b --server=host", "neither SOURCE nor TARGET is an address",
            "sync ferry://h/a http://h/files/a", "SOURCE and TARGET are both addresses; copy",
            "sync a ferry://h/b --server=h", "--server: ferry://h/b names the server; leave out",
            "sync a ferry://h/../b", "'..' is not allowed",
            "sync a ferry://h/b --include=[", "--include: '[' is not a pattern",
            "sync a ferry://h/b --include=a/", "'a/' matches only folders, but the option selects",
            "sync a ferry://h/b --max-delete=101%", "'101%' is not a limit; write a number",
            "sync a ferry://h/b --backup-dir=x/..", "--backup-dir: 'x/..' contains TARGET; name a",
            "sync a", "Missing required parameter: 'TARGET'");
    messages.forEach(
        (line, message) -> {
          Outcome outcome = Outcome.of(line.split(" "));
          assertThat(outcome.exitCode()).as(line).isEqualTo(2);
          assertThat(outcome.err()).contains(message).hasLineCount(1);
        });
  }

  @ParameterizedTest
  @EnumSource
  void sync_targetThatIsAFile_isRefusedAlsoByADryRun(Way way) throws Exception {
    write(source(way).resolve("a"), "a", TIME);
    write(target(way), "a file", TIME);
    for (String option : List.of("--dry-run", "--delete")) {
      Outcome outcome = sync(CarrierChoice.HTTP, way, option);
      assertThat(outcome.exitCode()).isEqualTo(4);
      assertThat(outcome.err()).contains("tree: is a file, not a folder").hasLineCount(1);
      assertThat(outcome.out()).isEmpty();
    }
  }
}
