package dev.ferry.cli.sync;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ferry.cli.Outcome;
import dev.ferry.cli.Servers;
import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.cli.sync.SyncFolders.Way;
import dev.ferry.core.Generated;
import dev.ferry.core.Round;
import dev.ferry.core.TestFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** sync of generated trees, with generated options: first a dry run, then the same for real. */
@Timeout(300)
final class SyncDryRunTest {
  private static final Instant TIME = Instant.parse("2020-01-02T03:04:05.678Z");

  /** What each of these options leaves out. */
  private static final Map<String, Predicate<String>> EXCLUDES =
      Map.of(
          "--exclude=*.log", path -> path.endsWith(".log"),
          "--exclude=up/", path -> ("/" + path).contains("/up/"),
          "--exclude=/d/e", path -> path.startsWith("d/e/"),
          "--exclude=d/**", path -> path.startsWith("d/"),
          "--exclude=x[[]1]?[*]", path -> path.endsWith("x[1] *"),
          "--include=**/e/*", path -> !("/" + path).matches(".*/e/[^/]*"));

  @TempDir Path root;
  @TempDir Path local;
  @TempDir Path temporary;

  /**
   * @param source versions of files by their paths; 0 is an empty folder
   */
  private record Sample(
      Map<String, Integer> source,
      Map<String, Integer> target,
      Set<String> excludes,
      String backup,
      Way way,
      CarrierChoice carrier) {
    boolean isExcluded(String path) {
      return EXCLUDES.entrySet().stream()
          .anyMatch(option -> excludes.contains(option.getKey()) && option.getValue().test(path));
    }

    String[] options() {
      Stream<String> all = Stream.of("--delete", "--max-delete=100%", "--json", "--quiet");
      Stream<String> dir = backup.isEmpty() ? Stream.of() : Stream.of("--backup-dir=" + backup);
      return Stream.of(all, excludes.stream(), dir).flatMap(s -> s).toArray(String[]::new);
    }
  }

  private static Map<String, Integer> tree(Generated input) {
    Map<String, Integer> tree = new TreeMap<>();
    for (String path : input.list(0, 9, () -> path(input))) {
      tree.put(path, input.between(0, 2));
    }
    return tree;
  }

  private static String path(Generated input) {
    return input.joined(0, 3, () -> input.of("d/", "e/", "up/"))
        + input.of("a.csv", "ü.log", "x[1] *");
  }

  private static Sample sample(Generated input) {
    List<String> excludes = EXCLUDES.keySet().stream().sorted().toList();
    return new Sample(
        tree(input),
        tree(input),
        Set.copyOf(input.list(0, 2, () -> input.of(excludes))),
        input.of("", "", "kept", "../kept", "d/kept"),
        input.of(Way.class),
        input.of(CarrierChoice.GRPC, CarrierChoice.HTTP));
  }

  private static void make(Path folder, Map<String, Integer> tree) throws Exception {
    Files.createDirectories(folder);
    for (Map.Entry<String, Integer> entry : tree.entrySet()) {
      Path path = folder.resolve(entry.getKey());
      int version = entry.getValue();
      if (version == 0) {
        Files.createDirectories(path.resolveSibling("hollow"));
      } else {
        SyncFolders.write(path, entry.getKey() + version, TIME.plusSeconds(version));
      }
    }
  }

  /** The files of a folder, by their paths. */
  private static Map<String, String> files(Path folder) throws Exception {
    Map<String, String> files = new TreeMap<>();
    if (Files.exists(folder)) {
      for (String path : TestFiles.tree(folder)) {
        if (!path.endsWith("/")) {
          files.put(path, Files.readString(folder.resolve(path)));
        }
      }
    }
    return files;
  }

  /** What a run says of each path. */
  private static List<String> actions(Outcome outcome) throws Exception {
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    List<String> actions = new ArrayList<>();
    for (String line : outcome.out().lines().toList()) {
      JsonNode object = new ObjectMapper().readTree(line);
      actions.add(
          Stream.of("action", "source", "target", "type", "transferred", "deleted", "unchanged")
              .map(property -> object.path(property).asText())
              .collect(Collectors.joining(" "))
              .replaceFirst("^would-transfer", "transferred")
              .replaceFirst("^would-delete", "deleted"));
    }
    Collections.sort(actions);
    return actions;
  }

  @Test
  void sync_generatedTrees_doesWhatTheDryRunSaysAndLosesNothing() throws Exception {
    try (Servers servers = Servers.start(root)) {
      SyncFolders folders = new SyncFolders(root, local, servers);
      Generated.check(
          Round.times(12, 30),
          input -> {
            tryOut(sample(input), folders);
            moveAway(root);
            moveAway(local);
          });
    }
  }

  private void moveAway(Path folder) throws Exception {
    Path old = Files.createTempDirectory(temporary, "old");
    for (String name : List.of("tree", "kept")) {
      if (Files.exists(folder.resolve(name))) {
        Files.move(folder.resolve(name), old.resolve(name));
      }
    }
  }

  private static void tryOut(Sample sample, SyncFolders folders) throws Exception {
    Path source = folders.source(sample.way());
    Path target = folders.target(sample.way());
    make(source, sample.source());
    make(target, sample.target());
    Map<String, String> wanted = files(source);
    Map<String, String> before = files(target);
    String[] options = sample.options();
    String[] dry = Stream.concat(Stream.of(options), Stream.of("--dry-run")).toArray(String[]::new);

    Outcome planned = folders.sync(sample.carrier(), sample.way(), dry);
    assertThat(files(target)).as("%s", sample).isEqualTo(before);
    Outcome done = folders.sync(sample.carrier(), sample.way(), options);

    assertThat(actions(done)).as("%s", sample).isEqualTo(actions(planned));
    assertThat(files(source)).isEqualTo(wanted);
    wanted.keySet().removeIf(sample::isExcluded);
    Map<String, String> expected = new TreeMap<>(before);
    expected.keySet().removeIf(path -> !sample.isExcluded(path));
    expected.putAll(wanted);
    Path backup = target.resolve(sample.backup().isEmpty() ? "none" : sample.backup());
    Map<String, String> kept = files(backup);
    Map<String, String> after = files(target);
    after.keySet().removeIf(path -> path.startsWith(sample.backup() + "/"));
    assertThat(after).as("%s", sample).isEqualTo(expected);
    if (!sample.backup().isEmpty()) {
      Map<String, String> lost = new TreeMap<>(before);
      lost.entrySet().removeAll(expected.entrySet());
      assertThat(kept).as("%s", sample).isEqualTo(lost);
    }
  }
}
