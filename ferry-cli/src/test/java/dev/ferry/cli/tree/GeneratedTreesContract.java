package dev.ferry.cli.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.ferry.cli.Outcome;
import dev.ferry.cli.Servers;
import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.Generated;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.PlainText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Copies of trees with names, links and special files of every kind. Each entry of the source is
 * equal at the other end or named in the output, and nothing that the source has is deleted.
 */
@Timeout(300)
public abstract class GeneratedTreesContract {
  /** A character for each byte of a name. */
  private static final List<String> NAMES =
      List.of(
          "a",
          "b.txt",
          "dev-disk\\x2dswap.mount",
          "Icon\r",
          "two\nlines\t",
          "\u001b[31m",
          utf8("\ufffd"),
          utf8("é😀"),
          utf8("e\u0301"),
          " ",
          "\\",
          ".ferry-mine",
          ".FERRY-x",
          "not\u00e9utf8",
          "not\u00e8utf8",
          "\u00ff\n",
          "%2e%2e",
          "x".repeat(255));

  private static final List<CarrierChoice> CARRIERS =
      List.of(CarrierChoice.GRPC, CarrierChoice.HTTP);

  @TempDir Path local;
  @TempDir Path root;
  @TempDir Path temporary;

  /** What is generated at a path. */
  enum Kind {
    FILE,
    FOLDER,
    LINK_TO_FILE,
    LINK_TO_FOLDER,
    LINK_TO_ITSELF,
    LINK_OUT,
    DANGLING_LINK,
    PIPE
  }

  /** How a tree is copied. */
  enum Command {
    PUT,
    GET,
    SYNC_UP,
    SYNC_DOWN,
    MIRROR_UP,
    MIRROR_DOWN;

    boolean isUp() {
      return this == PUT || this == SYNC_UP || this == MIRROR_UP;
    }

    boolean deletes() {
      return this == MIRROR_UP || this == MIRROR_DOWN;
    }
  }

  /**
   * @param folders indexes of names, from the root
   */
  private record Node(List<Integer> folders, int name, Kind kind, int content) {}

  private record Sample(
      List<Node> source, List<Node> target, Command command, CarrierChoice carrier) {}

  private static String utf8(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** How many trees each build copies. */
  protected abstract int samples();

  /** Starts servers over an empty store. */
  protected abstract Servers servers(Path root) throws Exception;

  /**
   * Gives the store what is in a folder, in place of all that it has. What it cannot have is
   * removed from the folder.
   */
  protected void give(Path root) throws Exception {}

  /** Gives a folder what is in the store, in place of all that it has. */
  protected void take(Path root) throws Exception {}

  private static Node node(Generated input, List<Kind> kinds) {
    List<Integer> names = IntStream.range(0, NAMES.size()).boxed().toList();
    return new Node(
        input.list(0, 2, () -> input.of(names)),
        input.of(names),
        input.between(1, 7) <= 4 ? Kind.FILE : input.of(kinds),
        input.between(1, 3));
  }

  private static Sample sample(Generated input) {
    List<Kind> kinds = List.of(Kind.values());
    // A server follows links in the target, so that what is copied is elsewhere.
    List<Kind> unfollowed =
        kinds.stream()
            .filter(kind -> kind != Kind.LINK_TO_FOLDER && kind != Kind.LINK_TO_ITSELF)
            .toList();
    return new Sample(
        input.list(1, 12, () -> node(input, kinds)),
        input.list(0, 6, () -> node(input, unfollowed)),
        input.of(Command.class),
        input.of(CARRIERS));
  }

  private static void make(Path tree, List<Node> nodes, Path outside) throws Exception {
    Files.createDirectories(tree);
    for (Node node : nodes) {
      Path folder = tree;
      for (int name : node.folders()) {
        Path below = TestFiles.ofBytes(folder, NAMES.get(name));
        if (Files.notExists(below, LinkOption.NOFOLLOW_LINKS)) {
          Files.createDirectory(below);
        }
        folder = Files.isDirectory(below, LinkOption.NOFOLLOW_LINKS) ? below : folder;
      }
      Path path = TestFiles.ofBytes(folder, NAMES.get(node.name()));
      if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
        make(folder, path, node, tree, outside);
      }
    }
  }

  private static void make(Path folder, Path path, Node node, Path tree, Path outside)
      throws Exception {
    switch (node.kind()) {
      case FILE -> {
        Files.writeString(path, "x".repeat(node.content()));
        Files.setLastModifiedTime(path, FileTime.fromMillis((node.content() - 2) * 86_400_000L));
      }
      case FOLDER -> Files.createDirectory(path);
      case LINK_TO_FILE -> {
        Path file = tree.resolve("linked");
        Files.writeString(file, "linked");
        Files.createSymbolicLink(path, folder.relativize(file));
      }
      case LINK_TO_FOLDER -> {
        Files.createDirectories(tree.resolve("folder"));
        Files.createSymbolicLink(path, folder.relativize(tree.resolve("folder")));
      }
      case LINK_TO_ITSELF -> Files.createSymbolicLink(path, Path.of("."));
      case LINK_OUT -> Files.createSymbolicLink(path, outside);
      case DANGLING_LINK -> Files.createSymbolicLink(path, Path.of("nowhere"));
      case PIPE -> {
        // Arguments of a process are text, which the name may not be.
        Path pipe = outside.resolveSibling("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        Files.move(pipe, path);
      }
    }
  }

  /** The entries below a folder by their bytes, with what they have. Links are not followed. */
  private static Map<String, String> entries(Path folder) throws IOException {
    Map<String, String> entries = new TreeMap<>();
    add(folder, "", entries);
    return entries;
  }

  private static void add(Path folder, String above, Map<String, String> entries)
      throws IOException {
    try (var listed = Files.newDirectoryStream(folder)) {
      for (Path path : listed) {
        String raw = path.getFileName().toUri().getRawPath();
        String name = raw.replaceFirst("/$", "").replaceFirst(".*/", "");
        if (name.startsWith(".ferry-uploads")) {
          continue;
        }
        String below = above + name;
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
          entries.put(below, "folder");
          add(path, below + "/", entries);
        } else if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
          entries.put(below, "file " + Files.readString(path));
        } else if (Files.isSymbolicLink(path)) {
          entries.put(below, Files.isRegularFile(path) ? "file " + Files.readString(path) : "link");
        } else {
          entries.put(below, "other");
        }
      }
    }
  }

  /** A path as it is printed. */
  private static String shown(String encoded) {
    StringBuilder bytes = new StringBuilder();
    for (int i = 0; i < encoded.length(); i++) {
      boolean escape = encoded.charAt(i) == '%';
      bytes.append(escape ? (char) Integer.parseInt(encoded, i + 1, i + 3, 16) : encoded.charAt(i));
      i += escape ? 2 : 0;
    }
    return PlainText.of(bytes.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Whether this entry, or a folder that it is in, is named in the output. */
  private static boolean isNamed(String entry, String output) {
    for (String path = entry; !path.isEmpty(); path = parent(path)) {
      String shown = "tree/" + shown(path);
      if (output.contains(shown + ": ") || output.contains(shown + "': ")) {
        return true;
      }
    }
    return false;
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  private static Outcome run(Sample sample, Path here, Servers servers) {
    boolean http = sample.carrier() != CarrierChoice.GRPC;
    String address =
        (http ? "http://" : "ferry://")
            + servers.address(sample.carrier())
            + (http ? "/files/tree" : "/tree");
    List<String> words = new ArrayList<>();
    words.add(
        switch (sample.command()) {
          case PUT -> "put";
          case GET -> "get";
          default -> "sync";
        });
    words.addAll(
        sample.command().isUp()
            ? List.of(here.toString(), address)
            : List.of(address, here.toString()));
    switch (sample.command()) {
      case PUT, GET -> words.addAll(List.of("-r", "--force"));
      case MIRROR_UP, MIRROR_DOWN -> words.addAll(List.of("--delete", "--max-delete", "100%"));
      default -> {}
    }
    words.addAll(List.of("-q", "--carrier", sample.carrier().toString()));
    return Outcome.of(words.toArray(String[]::new));
  }

  @Test
  void copy_generatedTree_transfersOrNamesEachEntryAndDeletesNothingOfTheSource() throws Exception {
    Path outside = Files.writeString(temporary.resolve("outside"), "outside");
    try (Servers servers = servers(root)) {
      Generated.check(
          samples(),
          input -> {
            Outcome unused = tryOut(sample(input), outside, servers);
          });
    }
  }

  @Test
  void copy_fileInThePlaceOfAFolder_namesTheFolderOnce() throws Exception {
    Path outside = Files.writeString(temporary.resolve("outside"), "outside");
    try (Servers servers = servers(root)) {
      // A bucket can have the first, and not the second.
      for (int name : new int[] {0, 3}) {
        for (Command command :
            List.of(Command.PUT, Command.GET, Command.SYNC_UP, Command.SYNC_DOWN)) {
          for (CarrierChoice carrier : CARRIERS) {
            assertNamesTheFolderOnce(name, command, carrier, outside, servers);
          }
        }
      }
    }
  }

  private void assertNamesTheFolderOnce(
      int name, Command command, CarrierChoice carrier, Path outside, Servers servers)
      throws Exception {
    List<Node> source =
        List.of(
            new Node(List.of(name), 0, Kind.FILE, 1),
            new Node(List.of(name), 1, Kind.FOLDER, 1),
            new Node(List.of(name, 9), 0, Kind.FILE, 1),
            new Node(List.of(name, 9), 1, Kind.FILE, 1));
    List<Node> target = List.of(new Node(List.of(), name, Kind.FILE, 1));
    Sample sample = new Sample(source, target, command, carrier);
    Outcome outcome = tryOut(sample, outside, servers);
    assertThat(outcome.exitCode()).as("%s: %s", sample, outcome).isEqualTo(10);
    assertThat(outcome.err().lines())
        .as("%s: %s", sample, outcome)
        .singleElement(STRING)
        .contains("tree/" + PlainText.of(NAMES.get(name)))
        .doesNotContain(PlainText.of(NAMES.get(name)) + "/");
  }

  private Outcome tryOut(Sample sample, Path outside, Servers servers) throws Exception {
    boolean up = sample.command().isUp();
    Path here = local.resolve("tree");
    Path there = root.resolve("tree");
    make(up ? here : there, sample.source(), outside);
    make(up ? there : here, sample.target(), outside);
    give(root);
    Outcome outcome = tryOut(sample, here, there, servers);
    Path old = Files.createTempDirectory(temporary, "old");
    Files.move(here, old.resolve("here"));
    Files.move(there, old.resolve("there"));
    return outcome;
  }

  private Outcome tryOut(Sample sample, Path here, Path there, Servers servers) throws Exception {
    Path source = sample.command().isUp() ? here : there;
    Path target = sample.command().isUp() ? there : here;
    Map<String, String> wanted = entries(source);
    Map<String, String> before = entries(target);

    Outcome outcome = run(sample, here, servers);
    take(root);

    String what = sample + "\n" + wanted + "\n" + before + "\n" + outcome;
    Map<String, String> after = entries(target);
    assertThat(entries(source)).as(what).isEqualTo(wanted);
    assertThat(outcome.out() + outcome.err()).as(what).doesNotContain("report it");
    Set<String> lost = new TreeSet<>();
    boolean named = false;
    for (Map.Entry<String, String> entry : wanted.entrySet()) {
      @Nullable String arrived = after.get(entry.getKey());
      boolean isNamed = isNamed(entry.getKey(), outcome.err());
      named |= isNamed;
      // A server follows links to folders of its own.
      boolean followed = entry.getValue().equals("link") && "folder".equals(arrived);
      if (!entry.getValue().equals(arrived) && !followed && !isNamed) {
        lost.add(entry.getKey());
      }
    }
    assertThat(lost).as("neither there nor named: %s", what).isEmpty();
    Set<String> deleted = new TreeSet<>(before.keySet());
    deleted.removeAll(after.keySet());
    deleted.removeIf(path -> sample.command().deletes() && !wanted.containsKey(path));
    assertThat(deleted).as("deleted: %s", what).isEmpty();
    if (named) {
      assertThat(outcome.exitCode()).as(what).isEqualTo(10);
    } else {
      assertThat(outcome.exitCode()).as(what).isIn(0, 10);
    }
    return outcome;
  }
}
