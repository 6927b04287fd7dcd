package dev.ferry.lab.suite;

import dev.ferry.lab.model.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Gives each end of a row processors of its own, with {@code taskset} of Linux. A JVM has no call
 * for it before Java 22.
 *
 * @param client the processors of the client, as {@code taskset} lists them
 * @param server the processors of the server
 */
public record Pin(String client, String server) {
  private static final String TASKSET = "taskset";
  private static final String CLIENT = "ferry.lab.pin.client";
  private static final String SERVER = "ferry.lab.pin.server";
  private static final String ALLOWED = "Cpus_allowed_list:";

  /**
   * Divides the processors of this process into two halves.
   *
   * @throws LabException with the reason if that is not possible here
   */
  public static Pin halves() throws LabException {
    try (var lines = Files.lines(Path.of("/proc/self/status"))) {
      String allowed =
          lines
              .filter(l -> l.startsWith(ALLOWED))
              .findFirst()
              .orElse(ALLOWED)
              .substring(ALLOWED.length());
      Pin pin = of(allowed.strip());
      // Fails if the program is missing.
      run(TASKSET, "-c", pin.server(), "true");
      return pin;
    } catch (IOException e) {
      throw LabException.failure(
          "--pin needs taskset of util-linux, which does not work here; install it or leave out"
              + " --pin",
          e);
    }
  }

  /**
   * Divides a list of processors.
   *
   * @param allowed for instance {@code 0-2,5}
   * @throws LabException if there is only one
   */
  static Pin of(String allowed) throws LabException {
    List<String> all = new ArrayList<>();
    for (String range : allowed.split(",", -1)) {
      String[] ends = range.split("-", -1);
      for (int i = Integer.parseInt(ends[0]); i <= Integer.parseInt(ends[ends.length - 1]); i++) {
        all.add(Integer.toString(i));
      }
    }
    if (all.size() < 2) {
      throw LabException.usage(
          "--pin gives each end its own processors, but there is only one; leave out --pin");
    }
    int half = all.size() / 2;
    return new Pin(
        all.subList(0, half).stream().collect(Collectors.joining(",")),
        all.subList(half, all.size()).stream().collect(Collectors.joining(",")));
  }

  /** Returns the flags with which a fork knows its processors. */
  public List<String> flags() {
    return List.of("-D" + CLIENT + "=" + client, "-D" + SERVER + "=" + server);
  }

  /** Returns the pin of this fork; null if it has none. */
  public static @Nullable Pin ofFork() {
    String client = System.getProperty(CLIENT);
    String server = System.getProperty(SERVER);
    return client == null || server == null ? null : new Pin(client, server);
  }

  /** Returns the start of a command whose process runs on the processors of the server. */
  public List<String> serverCommand() {
    return List.of(TASKSET, "-c", server);
  }

  /** Moves all threads of this process, and those that they start, to the client's processors. */
  public void pinClient() throws IOException {
    run(TASKSET, "-apc", client, Long.toString(ProcessHandle.current().pid()));
  }

  /**
   * Moves the calling thread to the processors of the server if this fork is pinned. It is for
   * ceilings, whose two ends share a process.
   */
  public static void pinServerThread() throws IOException {
    Pin pin = ofFork();
    if (pin != null) {
      Path own = Path.of("/proc/thread-self").toRealPath();
      run(TASKSET, "-pc", pin.server, String.valueOf(own.getFileName()));
    }
  }

  private static void run(String... command) throws IOException {
    ProgramOutput ended = ProgramOutput.of(List.of(command), "");
    if (ended.exitCode() != 0) {
      throw new IOException(String.join(" ", command) + " failed: " + ended.text().strip());
    }
  }
}
