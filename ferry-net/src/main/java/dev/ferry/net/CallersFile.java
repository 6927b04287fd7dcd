package dev.ferry.net;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Sha256;
import dev.ferry.core.StoreRule;
import dev.ferry.net.internal.CallerLines;
import dev.ferry.net.internal.CallerLines.Entry;
import dev.ferry.net.internal.FileModes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of callers, one a line: the name, the SHA-256 of the token, and the rules.
 *
 * <pre>
 * # A comment.
 * alice  sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0bb822cd15d6c15b0f00a8  all:/alice read:/
 * </pre>
 *
 * <p>A blank in the path of a rule is written {@code %20}, and a percent sign {@code %25}.
 *
 * <p>The file is read again when it has changed, a second later at most. A file that cannot be read
 * then is logged once as a warning, and the callers before the change stay. Calls that run are not
 * affected. The file holds no secret, since tokens are random and cannot be found from their
 * digests. But who may write to it can add callers, so it is refused if other users than its owner
 * may. Thread-safe.
 */
public final class CallersFile implements Callers {
  private static final Logger LOG = LoggerFactory.getLogger(CallersFile.class);
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path file;
  private final LongSupplier nanoTime;
  private final AtomicLong nextLook;
  private String version;
  private volatile List<Entry> entries;

  private CallersFile(Path file, LongSupplier nanoTime) throws FerryException {
    this.file = file;
    this.nanoTime = nanoTime;
    this.nextLook = new AtomicLong(nanoTime.getAsLong() + LOOK_NANOS);
    this.version = version(file);
    this.entries = read(file);
  }

  /**
   * Reads a file.
   *
   * @throws FerryException if it cannot be read, other users may write to it, or a line is
   *     malformed; the message is one line that names the file, the line and the remedy
   */
  public static CallersFile open(Path file) throws FerryException {
    return open(file, System::nanoTime);
  }

  static CallersFile open(Path file, LongSupplier nanoTime) throws FerryException {
    return new CallersFile(file, nanoTime);
  }

  /** Compares the token with those of all callers, so that the time taken says nothing of them. */
  @Override
  public @Nullable Caller find(String token) {
    long now = nanoTime.getAsLong();
    long due = nextLook.get();
    if (now - due >= 0 && nextLook.compareAndSet(due, now + LOOK_NANOS)) {
      look();
    }
    Sha256 digest = CallerLines.digest(token);
    Caller found = null;
    for (Entry entry : entries) {
      // Takes the same time for any two digests.
      found = entry.digest().equals(digest) ? entry.caller() : found;
    }
    return found;
  }

  private synchronized void look() {
    // The version is taken before the contents: a change in between is seen the next time.
    String now = version(file);
    if (now.equals(version)) {
      return;
    }
    version = now;
    try {
      entries = read(file);
    } catch (FerryException e) {
      LOG.warn("{}; until then the callers from before stay", e.getMessage());
    }
  }

  /** Returns a text that changes with the file and with who may write to it. */
  private static String version(Path file) {
    try {
      return FileFacts.versionOf(Files.readAttributes(file, BasicFileAttributes.class))
          + PosixFilePermissions.toString(FileModes.of(file));
    } catch (IOException e) {
      return "";
    }
  }

  private static List<Entry> read(Path file) throws FerryException {
    return CallerLines.parse(file, lines(file));
  }

  private static List<String> lines(Path file) throws FerryException {
    try {
      if (FileModes.othersMayWrite(file)) {
        throw new FerryException(
            ErrorKind.PERMISSION_DENIED, file + ": others may write to it; run chmod go-w " + file);
      }
      return Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (FerryException e) {
      throw e;
    } catch (NoSuchFileException e) {
      throw new FerryException(
          ErrorKind.NOT_FOUND,
          file + ": no such file; 'ferry token add " + file + " NAME RULE' makes it",
          e);
    } catch (IOException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          file + ": cannot be read; check that it is a text file in UTF-8, and its permissions",
          e);
    }
  }

  /** Returns the callers of a file, in its order. Throws as {@link #open}. */
  public static List<Caller> list(Path file) throws FerryException {
    return read(file).stream().map(Entry::caller).toList();
  }

  /**
   * Adds a caller with a new token of 256 random bits. Creates the file, readable for its owner
   * alone, if it does not exist.
   *
   * @param name letters, digits and {@code . _ @ -}; not yet in the file
   * @param rules at least one, such as {@code read:/}
   * @return the token, which is stored nowhere
   * @throws FerryException if the name or a rule is malformed, or the file is, or cannot be written
   */
  public static String addToken(Path file, String name, List<String> rules) throws IOException {
    List<StoreRule> parsed = new ArrayList<>();
    for (String rule : rules) {
      parsed.add(StoreRule.parse(rule));
    }
    String token = CallerLines.newToken();
    String line = CallerLines.line(name, CallerLines.digest(token), parsed);
    rewrite(file, lines -> lines.add(line));
    return token;
  }

  /**
   * Removes a caller. Its token is of no use then.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if the file has no such caller
   */
  public static void removeToken(Path file, String name) throws IOException {
    if (list(file).stream().noneMatch(caller -> caller.name().equals(name))) {
      throw new FerryException(
          ErrorKind.NOT_FOUND,
          file + ": no caller '" + name + "'; 'ferry token list " + file + "' shows those it has");
    }
    rewrite(file, lines -> lines.removeIf(line -> CallerLines.isOf(line, name)));
  }

  /** Replaces the file by a changed one, which nobody sees before it is complete. */
  private static void rewrite(Path file, Consumer<List<String>> change) throws IOException {
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path changed = target.resolveSibling(target.getFileName() + ".new");
    try {
      FileModes.createPrivate(changed);
    } catch (FileAlreadyExistsException e) {
      throw new FerryException(
          ErrorKind.ALREADY_EXISTS,
          changed + ": exists; wait for the other 'ferry token', or delete it if there is none",
          e);
    } catch (IOException e) {
      throw new FerryException(
          ErrorKind.PERMISSION_DENIED,
          file + ": cannot be written; check its folder and the permissions there",
          e);
    }
    try {
      boolean exists = Files.exists(target);
      List<String> lines = new ArrayList<>(exists ? lines(file) : CallerLines.HEAD);
      change.accept(lines);
      CallerLines.parse(file, lines);
      FileModes.write(changed, lines);
      if (exists) {
        FileModes.copy(target, changed);
      }
      Files.move(changed, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(changed);
      throw e;
    }
  }
}
