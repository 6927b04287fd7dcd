package dev.ferry.lab.network;

import dev.ferry.lab.model.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Looks for what a wire leaves: processes in its namespaces, which alone hold them. */
public final class Namespaces {
  private static final int PATIENCE_SECONDS = 60;
  private static final int PERIOD_MILLIS = 10;

  private Namespaces() {}

  /** Returns why this machine can make no wires; null if it can. */
  public static @Nullable String obstacle(Path folder) throws IOException {
    try (Wire wire = Wire.open(Networks.parse("rtt=1ms"), folder)) {
      return wire.ends().pid() > 0 ? null : "no process";
    } catch (LabException e) {
      return e.getMessage();
    }
  }

  /** Returns the namespaces of both ends of a forwarder's wire. */
  public static Set<String> of(long forwarder) throws IOException {
    Set<String> namespaces = new HashSet<>();
    try (var files = Files.list(Path.of("/proc", Long.toString(forwarder), "fd"))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        try {
          String target = Files.readSymbolicLink(file).toString();
          if (target.startsWith("net:")) {
            namespaces.add(target);
          }
        } catch (NoSuchFileException e) {
          // It was closed meanwhile.
          continue;
        }
      }
    }
    return namespaces;
  }

  /** Returns the processes in one of the namespaces. */
  public static Set<Long> members(Set<String> namespaces) {
    Set<Long> members = new HashSet<>();
    ProcessHandle.allProcesses()
        .forEach(
            process -> {
              Path link = Path.of("/proc", Long.toString(process.pid()), "ns", "net");
              try {
                if (namespaces.contains(Files.readSymbolicLink(link).toString())) {
                  members.add(process.pid());
                }
              } catch (IOException e) {
                // It has ended, or belongs to somebody else.
                members.remove(process.pid());
              }
            });
    return members;
  }

  /** Waits until a process has got to one of the namespaces. */
  public static void awaitMember(long pid, Set<String> namespaces) throws Exception {
    await(() -> members(namespaces).contains(pid));
  }

  /** Waits until no process is in one of the namespaces. */
  public static void awaitEmpty(Set<String> namespaces) throws Exception {
    awaitMembers(0, namespaces);
  }

  /** Waits until so many processes are in one of the namespaces. */
  public static void awaitMembers(int count, Set<String> namespaces) throws Exception {
    await(() -> members(namespaces).size() == count);
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("still waiting after " + PATIENCE_SECONDS + " s");
      }
      Thread.sleep(PERIOD_MILLIS);
    }
  }
}
