package dev.ferry.cli.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Outcome;
import dev.ferry.cli.ServeProcess;
import dev.ferry.core.TestFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A server that is attacked, in a process of its own with a heap of 512 MiB. It has a good user and
 * two hostile ones, who may do everything, one of them slowly.
 */
final class HostileServer implements AutoCloseable {
  static final String GOOD = "good";
  private static final String HOSTILE = "hostile";
  private static final String SLOW = "slow";

  /**
   * A command that is started in place of the classes of this build, for instance {@code ../ferry}.
   */
  private static final String COMMAND = System.getProperty("ferry.hostile.command", "");

  private static final String HEAP = "-Xmx512m";
  static final int MANY = 20_000;
  private static final int DEPTH = 1_000;
  private static final int DIGESTS = 64;

  private final String good;
  private final String hostile;
  private final String slow;
  private final Process process;
  private final BufferedReader out;
  private final int grpc;
  private final int http;

  /**
   * Starts one over files that attackers like.
   *
   * @param root an empty folder
   * @param local for the users and the log
   */
  HostileServer(Path root, Path local) throws Exception {
    makeFiles(root);
    Path users = local.resolve("users");
    good = addUser(users, GOOD);
    hostile = addUser(users, HOSTILE);
    slow = addUser(users, SLOW, "bytes:512K/s");
    List<String> command =
        ServeProcess.command(
            List.of(HEAP), root, List.of("--grpc-port=0", "--http-port=0", "--users=" + users));
    if (!COMMAND.isEmpty()) {
      command.subList(0, command.indexOf("serve")).clear();
      command.add(0, COMMAND);
    }
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.to(local.resolve("log").toFile()));
    builder.environment().put("FERRY_JAVA_OPTS", HEAP);
    process = builder.start();
    out = process.inputReader();
    grpc = ServeProcess.port(out.readLine());
    http = ServeProcess.port(out.readLine());
  }

  private static String addUser(Path users, String name, String... limits) {
    List<String> add = new ArrayList<>(List.of("token", "add", users.toString(), name, "all:/"));
    add.addAll(List.of(limits));
    Outcome added = Outcome.of(add.toArray(String[]::new));
    assertThat(added.err()).isEmpty();
    return added.out().strip();
  }

  private static void makeFiles(Path root) throws IOException {
    Files.writeString(root.resolve("small"), "small");
    TestFiles.sparse(root.resolve("zeros"), 2L << 30);
    TestFiles.sparse(root.resolve("large"), 32L << 20);
    Files.createDirectory(root.resolve("zip"));
    TestFiles.sparse(root.resolve("zip/zeros"), 2L << 30);
    Files.createDirectory(root.resolve("huge"));
    for (int i = 0; i < DIGESTS; i++) {
      TestFiles.sparse(root.resolve("huge/" + i), 200L << 30);
    }
    Files.createDirectory(root.resolve("few"));
    for (int i = 0; i < 3; i++) {
      Files.writeString(root.resolve("few/" + i), "x");
    }
    Path many = Files.createDirectory(root.resolve("many"));
    for (int i = 0; i < MANY; i++) {
      Files.createFile(many.resolve("file-with-some-name-%06d".formatted(i)));
    }
    Files.createDirectories(root.resolve("deep" + "/a".repeat(DEPTH)));
  }

  int grpc() {
    return grpc;
  }

  int http() {
    return http;
  }

  String goodToken() {
    return good;
  }

  String attackersToken() {
    return hostile;
  }

  /** That of a user whose uploads the server holds back. */
  String slowToken() {
    return slow;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns the memory of the process in MiB, without what is swapped out. */
  long memory() throws IOException {
    try (Stream<String> lines = Files.lines(proc("status"))) {
      return lines
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
              .findFirst()
              .orElseThrow()
          / 1_024;
    }
  }

  long threads() throws IOException {
    return count("task");
  }

  long descriptors() throws IOException {
    return count("fd");
  }

  private long count(String folder) throws IOException {
    try (Stream<Path> entries = Files.list(proc(folder))) {
      return entries.count();
    }
  }

  private Path proc(String name) {
    return Path.of("/proc", Long.toString(process.pid()), name);
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    out.close();
  }
}
