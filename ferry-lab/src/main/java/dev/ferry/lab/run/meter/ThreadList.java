package dev.ferry.lab.run.meter;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The threads of this process as they are when they are first asked for, so that listing them once
 * serves several readings. Used by one thread.
 */
public final class ThreadList {
  /** The folder of whichever thread looks. */
  public static final Path OWN = Path.of("/proc/thread-self");

  private static final Path TASKS = Path.of("/proc/self/task");

  private @Nullable Map<String, Path> others;

  /** The folders of all threads but the calling one, by the thread. */
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
