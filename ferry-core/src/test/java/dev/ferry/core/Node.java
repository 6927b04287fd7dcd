package dev.ferry.core;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs the scripts of the module's {@code src/test/node}, with the packages that they need, in
 * {@code target/node}.
 */
public final class Node {
  public static final String SKIPPED = "skipped: node, npm and their registry are needed";

  private static final Path SCRIPTS = Path.of("src/test/node");
  private static final Path FOLDER = Path.of("target/node");
  private static final Path GUARD = Path.of("target/node.lock");
  private static final Path LOG = FOLDER.resolve("npm.log");

  /** The system's temporary folder of the scripts, where the browser is unpacked once. */
  private static final Path TEMPORARY = FOLDER.resolve("tmp");

  /** Exists once that is done. */
  private static final Path UNPACKED = FOLDER.resolve("unpacked");

  private static final String UNPACK =
      "import c from '@sparticuz/chromium'; await c.executablePath();";
  private static final String LOCK = "package-lock.json";
  private static final int INSTALL_SECONDS = 300;
  private static final int RUN_SECONDS = 600;

  private Node() {}

  /**
   * Returns whether the scripts can run. Installs missing packages and unpacks the browser. Waits
   * for another process that does, since two JVMs run the test classes of a module: a browser that
   * one is still unpacking cannot be started by the other.
   */
  public static synchronized boolean isReady() throws Exception {
    Files.createDirectories(FOLDER);
    try (FileChannel guard =
            FileChannel.open(GUARD, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock unused = guard.lock()) {
      boolean installed =
          Files.isDirectory(FOLDER.resolve("node_modules"))
              && isSameLock()
              && Files.exists(UNPACKED);
      copyScripts();
      if (!installed && !install()) {
        // So that the next run does not take what there is of it for all.
        Files.delete(FOLDER.resolve(LOCK));
        return false;
      }
      return true;
    }
  }

  /** Leaves equal ones alone, which another process may be running. */
  private static void copyScripts() throws IOException {
    try (Stream<Path> scripts = Files.list(SCRIPTS)) {
      for (Path script : scripts.toList()) {
        Path copy = FOLDER.resolve(script.getFileName());
        if (Files.notExists(copy) || Files.mismatch(script, copy) >= 0) {
          Files.copy(script, copy, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  private static boolean install() throws Exception {
    List<String> unpack = List.of("node", "--input-type=module", "-e", UNPACK);
    // The package takes a browser that is there, whole or not, for the one to use.
    Files.deleteIfExists(UNPACKED);
    Files.deleteIfExists(TEMPORARY.resolve("chromium"));
    try {
      boolean ready =
          run(INSTALL_SECONDS, List.of("npm", "ci", "--no-audit", "--no-fund"), LOG) == 0
              && run(INSTALL_SECONDS, unpack, LOG) == 0;
      if (ready) {
        Files.createFile(UNPACKED);
      }
      return ready;
    } catch (IOException e) {
      // There is no npm.
      return false;
    }
  }

  private static boolean isSameLock() throws IOException {
    Path copied = FOLDER.resolve(LOCK);
    return Files.exists(copied) && Files.mismatch(copied, SCRIPTS.resolve(LOCK)) < 0;
  }

  /** Runs a script; gives the lines of its output. */
  public static List<String> run(String script, String... arguments) throws Exception {
    Path out = FOLDER.resolve(script + ".out");
    List<String> command = new ArrayList<>(List.of("node", script));
    command.addAll(List.of(arguments));
    int code = run(RUN_SECONDS, command, out);
    List<String> lines = Files.readAllLines(out);
    if (code != 0) {
      throw new IOException(script + " ended with " + code + ": " + lines);
    }
    return lines;
  }

  private static int run(int seconds, List<String> command, Path out) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(FOLDER.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    Path temporary = Files.createDirectories(TEMPORARY).toAbsolutePath();
    builder.environment().put("TMPDIR", temporary.toString());
    Process process = builder.start();
    try {
      return process.waitFor(seconds, TimeUnit.SECONDS) ? process.exitValue() : -1;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
