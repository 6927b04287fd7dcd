package dev.ferry.lab.run.meter;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The threads of this process at the time of the first request, so that several readings share one
 * list. Used by one thread.
 */
public final class ThreadList {
  /** The folder of the thread that reads it. */
  public static final Path OWN = Path.of("/proc/thread-self");

  private static final Path TASKS = Path.of("/proc/self/task");

  private @Nullable Map<String, Path> others;

  /** Returns the folders of all threads except the calling thread, by thread. */
  public Map<String, Path> others() {
    if (others == null) {
      others = list();
    }
    return others;
  }

  private static Map<String, Path> list() {
    Map<String, Path> others = new HashMap<>();
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      String own = String.valueOf(OWN.toRealPath().getFileName());
      for (Path task : tasks) {
        String thread = String.valueOf(task.getFileName());
        if (!thread.equals(own)) {
          others.put(thread, task);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(TASKS + " cannot be read", e);
    }
    return others;
  }
}
