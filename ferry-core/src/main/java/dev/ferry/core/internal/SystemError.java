package dev.ferry.core.internal;

import dev.ferry.core.FerryException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Errors of the operating system for which the JDK has no exception types. Only the text of
 * strerror(3) tells them apart, which is in the language of the locale with which the process
 * began. If it is not English, the errors that can be caused without harm are caused once, to learn
 * their texts.
 */
public enum SystemError {
  NO_SPACE("no space left"),
  OVER_QUOTA("quota exceeded"),
  TOO_LARGE("file too large"),
  NAME_TOO_LONG("file name too long"),
  /** The JDK adds English words of its own to this one. */
  LINK_LOOP("too many levels of symbolic links", "unable to access attributes of symbolic link"),
  NOT_A_DIRECTORY("not a directory"),
  IS_A_DIRECTORY("is a directory"),
  READ_ONLY("read-only file system"),
  NOT_PERMITTED("operation not permitted"),
  TOO_MANY_FILES("too many open files"),
  BROKEN_PIPE("broken pipe"),
  CONNECTION_REFUSED("connection refused");

  /** What users can do about {@link #TOO_MANY_FILES}. */
  public static final String RAISE_LIMIT =
      "too many open files; raise the limit of this process (ulimit -n)";

  private static final Path NULL_DEVICE = Path.of("/dev/null");
  private static final int LONGER_THAN_NAMES = 256;

  private final List<String> english;

  SystemError(String... english) {
    this.english = List.of(english);
  }

  /** An action that fails with the error whose text is to be learned. */
  @FunctionalInterface
  private interface Cause {
    void run() throws IOException;
  }

  /** Loaded when a text is not English. */
  private static final class Learned {
    static final Map<SystemError, String> TEXTS = learn();

    private Learned() {}

    private static Map<SystemError, String> learn() {
      Map<SystemError, String> texts = new EnumMap<>(SystemError.class);
      learn(
          texts,
          NAME_TOO_LONG,
          () -> Files.getLastModifiedTime(Path.of("/", "x".repeat(LONGER_THAN_NAMES))));
      if (NAME_TOO_LONG.english.contains(texts.get(NAME_TOO_LONG))) {
        return Map.of();
      }
      learn(texts, NOT_A_DIRECTORY, () -> Files.getLastModifiedTime(NULL_DEVICE.resolve("x")));
      // Nobody changes the mode of what the kernel says of a process.
      learn(
          texts,
          NOT_PERMITTED,
          () ->
              Files.setPosixFilePermissions(
                  Path.of("/proc/self/status"), EnumSet.of(PosixFilePermission.OWNER_READ)));
      // A file that cannot be opened has another reason, such as too many open files.
      try (FileOutputStream full = new FileOutputStream("/dev/full")) {
        learn(texts, NO_SPACE, () -> full.write(0));
      } catch (IOException e) {
        // Not Linux.
      }
      try (FileChannel root = FileChannel.open(Path.of("/"), StandardOpenOption.READ)) {
        learn(texts, IS_A_DIRECTORY, () -> root.read(ByteBuffer.allocate(1)));
      } catch (IOException e) {
        // Some systems do not open a folder.
      }
      try (Pipe.SinkChannel sink = brokenPipe()) {
        learn(texts, BROKEN_PIPE, () -> sink.write(ByteBuffer.allocate(1)));
      } catch (IOException e) {
        // There are too many open files.
      }
      try (SocketChannel client = SocketChannel.open()) {
        InetSocketAddress closed = closedPort();
        learn(texts, CONNECTION_REFUSED, () -> client.connect(closed));
      } catch (IOException e) {
        // There are too many open files.
      }
      return texts;
    }

    private static void learn(Map<SystemError, String> texts, SystemError error, Cause cause) {
      try {
        cause.run();
      } catch (IOException e) {
        String text = text(e);
        if (!text.isEmpty()) {
          texts.put(error, text);
        }
      } catch (UnsupportedOperationException e) {
        // No POSIX system.
      }
    }

    private static Pipe.SinkChannel brokenPipe() throws IOException {
      Pipe pipe = Pipe.open();
      pipe.source().close();
      return pipe.sink();
    }

    private static InetSocketAddress closedPort() throws IOException {
      try (ServerSocketChannel listener = ServerSocketChannel.open()) {
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return (InetSocketAddress) listener.getLocalAddress();
      }
    }
  }

  /** Returns the error that an exception, without its causes, is about; null if none of these. */
  public static @Nullable SystemError of(Throwable failure) {
    String text = text(failure);
    if (text.isEmpty()) {
      return null;
    }
    for (SystemError error : values()) {
      if (error.english.stream().anyMatch(text::contains)) {
        return error;
      }
    }
    if (!(failure instanceof IOException) || !hasOtherTexts()) {
      return null;
    }
    for (Map.Entry<SystemError, String> learned : Learned.TEXTS.entrySet()) {
      if (text.contains(learned.getValue())) {
        return learned.getKey();
      }
    }
    return ofFacts(failure, text);
  }

  /** What cannot be caused can be looked up, as long as it lasts. */
  private static @Nullable SystemError ofFacts(Throwable failure, String text) {
    try (FileChannel unused = FileChannel.open(NULL_DEVICE)) {
      return failure instanceof FileSystemException file && isReadOnly(file.getFile())
          ? READ_ONLY
          : null;
    } catch (IOException e) {
      String now = text(e);
      return !now.isEmpty() && text.contains(now) ? TOO_MANY_FILES : null;
    }
  }

  private static boolean isReadOnly(@Nullable String file) {
    try {
      for (Path path = file == null ? null : Path.of(file).toAbsolutePath();
          path != null;
          path = path.getParent()) {
        if (Files.exists(path)) {
          return Files.getFileStore(path).isReadOnly();
        }
      }
    } catch (IOException e) {
      // Then it is not known.
    }
    return false;
  }

  /** Whether an exception, or one of its causes, is about this error. */
  public boolean isCauseOf(@Nullable Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (of(t) == this) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns what the operating system has said of a failure, such as that a local file cannot be
   * read; null if it said nothing. What a server has sent is in exceptions of Ferry and of gRPC.
   */
  public static @Nullable IOException behind(FerryException failure) {
    for (Throwable t = failure.getCause(); t != null; t = t.getCause()) {
      if (t instanceof IOException here && !(t instanceof FerryException)) {
        return here;
      }
    }
    return null;
  }

  /** Whether the process has texts of another language than English. */
  public static boolean hasOtherTexts() {
    return !Learned.TEXTS.isEmpty();
  }

  /** The text without the path of the file, which may contain such words. */
  private static String text(Throwable failure) {
    String text =
        failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
    return text == null ? "" : text.toLowerCase(Locale.ROOT);
  }
}
