package dev.ferry.wire;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.internal.CallerLines;
import dev.ferry.wire.internal.CallerLines.Credential;
import dev.ferry.wire.internal.CallerLines.Entry;
import dev.ferry.wire.internal.CallerLines.Former;
import dev.ferry.wire.internal.CallerUse;
import dev.ferry.wire.internal.ClientNames;
import dev.ferry.wire.internal.FileModes;
import dev.ferry.wire.internal.WatchedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of callers, one a line: the name, by what the server knows the caller, and the rules.
 *
 * <pre>
 * # A comment.
 * alice  sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0bb822cd15d6c15b0f00a8  all:/alice read:/
 * build  cert:dns:build.example.org                                               read:/
 * carol  jwt:carol@example.org                                                    list:/
 * </pre>
 *
 * <p>A caller is known by a token, of which the file has the SHA-256; by a subject alternative name
 * of its certificate, which begins with {@code dns:}, {@code email:} or {@code uri:}; or by the
 * subject of a JWT, which {@link #findBySubject} takes. Names are compared as a whole, and a
 * certificate with names of two callers is that of neither. A blank is written {@code %20}, and a
 * percent sign {@code %25}. {@link CallerLimits} may stand among the rules. {@code was:TIME:DIGEST}
 * before them is a former token, of use until a time.
 *
 * <p>The file is read again when it has changed, a second later at most. Calls that run are not
 * affected. If it is missing, there are no callers from then on. If it cannot be used for another
 * reason, the callers from before stay for a minute, and then there are none; warnings in the log
 * say so. An empty file has no callers.
 *
 * <p>A file whose last line does not end is refused, since it may be half written: {@code read:/a}
 * may be the beginning of {@code read:/alice}.
 *
 * <p>The file holds no secret, since tokens are random and cannot be found from their digests. But
 * who may write to it can add callers. So it is refused unless it and its folder belong to root or
 * to the user of this process, and no others may write to them; they may write to a folder with the
 * sticky bit. The folders above are not checked. Thread-safe.
 */
public final class CallersFile implements Callers {
  private static final Logger LOG = LoggerFactory.getLogger(CallersFile.class);

  private final WatchedFile<List<Entry>> entries;

  /** What was read last, by one thread at a time. */
  private volatile @Nullable List<Entry> last;

  private final LongSupplier nanoTime;
  private final InstantSource clock;

  /** By the names of the callers. */
  private final Map<String, CallerUse> uses = new ConcurrentHashMap<>();

  private CallersFile(Path file, LongSupplier nanoTime, InstantSource clock) throws FerryException {
    this.nanoTime = nanoTime;
    this.clock = clock;
    this.entries = new WatchedFile<>(file, List.of(), nanoTime, this::readNext);
  }

  /**
   * Reads a file.
   *
   * @throws FerryException if it cannot be read, other users may change it, or a line is malformed;
   *     the message is one line that names the file, the line and the remedy
   */
  public static CallersFile open(Path file) throws FerryException {
    return open(file, System::nanoTime);
  }

  static CallersFile open(Path file, LongSupplier nanoTime) throws FerryException {
    return open(file, nanoTime, InstantSource.system());
  }

  static CallersFile open(Path file, LongSupplier nanoTime, InstantSource clock)
      throws FerryException {
    return new CallersFile(file, nanoTime, clock);
  }

  /** Compares the token with those of all callers, so that the time taken says nothing of them. */
  @Override
  public @Nullable Caller find(String token) {
    byte[] digest = ascii(CallerLines.digest(token).toString());
    Caller found = null;
    for (Entry entry : entries.current()) {
      // Takes the same time for any two digests.
      boolean equal = MessageDigest.isEqual(digest, ascii(entry.value()));
      Former former = entry.former();
      if (former != null) {
        boolean was = MessageDigest.isEqual(digest, ascii(former.value()));
        equal |= was && clock.instant().isBefore(former.until());
      }
      found = equal && entry.credential() == Credential.TOKEN ? entry.caller() : found;
    }
    return found;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public @Nullable Caller findByCertificate(X509Certificate certificate) {
    Set<String> names = ClientNames.of(certificate);
    List<Entry> found =
        entries.current().stream()
            .filter(entry -> entry.credential() == Credential.CERTIFICATE)
            .filter(entry -> names.contains(entry.value()))
            .toList();
    return found.size() == 1 ? found.get(0).caller() : null;
  }

  /**
   * Returns the caller with a JWT of this subject, which was verified before.
   *
   * @return null if there is none
   */
  public @Nullable Caller findBySubject(String subject) {
    return entries.current().stream()
        .filter(entry -> entry.credential() == Credential.SUBJECT)
        .filter(entry -> entry.value().equals(subject))
        .map(Entry::caller)
        .findFirst()
        .orElse(null);
  }

  @Override
  public Admission admit(Caller caller) throws FerryException {
    return uses.computeIfAbsent(caller.name(), name -> new CallerUse(nanoTime))
        .admit(caller.limits());
  }

  private List<Entry> readNext(Path file) throws FerryException {
    List<Entry> now = read(file);
    List<Entry> before = last;
    last = now;
    if (before != null) {
      logChanges(file, before, now);
    }
    return now;
  }

  /** Says whose lines have changed, and not how: a digest is nobody's business. */
  private static void logChanges(Path file, List<Entry> before, List<Entry> now) {
    Map<String, Entry> old = new TreeMap<>();
    before.forEach(entry -> old.put(entry.caller().name(), entry));
    for (Entry entry : now) {
      Entry was = old.remove(entry.caller().name());
      if (was == null) {
        LOG.info("{}: user {} was added", file, entry.caller().name());
      } else if (!was.equals(entry)) {
        LOG.info("{}: user {} was changed", file, entry.caller().name());
      }
    }
    old.keySet().forEach(name -> LOG.info("{}: user {} was removed", file, name));
    if (now.isEmpty() && !before.isEmpty()) {
      LOG.warn("{}: no longer has users, so nobody is served; add one, or restore it", file);
    }
  }

  private static List<Entry> read(Path file) throws FerryException {
    return CallerLines.parse(file, lines(file, FileModes::trustedText));
  }

  /** Reads the text of a file that others may not change. */
  @FunctionalInterface
  private interface TextReader {
    String read(Path file) throws IOException;
  }

  private static List<String> lines(Path file, TextReader reader) throws FerryException {
    try {
      String text = reader.read(file);
      if (!text.isEmpty() && !text.endsWith("\n")) {
        throw new FerryException(
            ErrorKind.INVALID_REQUEST,
            file + ": may be half written; end its last line with a line feed");
      }
      return text.lines().toList();
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

  /**
   * Returns the callers of a file, in its order. Throws as {@link #open}, but the file may belong
   * to any user.
   */
  public static List<Caller> list(Path file) throws FerryException {
    return CallerLines.parse(file, lines(file, FileModes::textOfOwner)).stream()
        .map(Entry::caller)
        .toList();
  }

  /**
   * Returns the callers of a file whose former token is still valid, and until when.
   *
   * @param now the time
   * @return the end of the former token by the name of the caller
   * @throws FerryException if the file cannot be read or is malformed
   */
  public static Map<String, Instant> formerTokens(Path file, Instant now) throws FerryException {
    Map<String, Instant> ends = new TreeMap<>();
    for (Entry entry : CallerLines.parse(file, lines(file, FileModes::textOfOwner))) {
      Former former = entry.former();
      if (former != null && now.isBefore(former.until())) {
        ends.put(entry.caller().name(), former.until());
      }
    }
    return ends;
  }

  /**
   * Adds a caller with a new token of 256 random bits. Creates the file, readable for its owner
   * alone, if it does not exist.
   *
   * @param name letters, digits and {@code . _ @ -}; not yet in the file
   * @param rules at least one, such as {@code read:/}, and perhaps {@link CallerLimits}
   * @return the token, which is stored nowhere
   * @throws FerryException if the name or a rule is malformed, or the file is, or cannot be written
   */
  public static String addToken(Path file, String name, List<String> rules) throws IOException {
    String token = CallerLines.newToken();
    add(file, name, Credential.TOKEN, CallerLines.digest(token).toString(), rules);
    return token;
  }

  /**
   * Adds a caller that is known by a name of its certificate, as {@link #addToken}.
   *
   * @param certificate {@code dns:NAME}, {@code email:ADDRESS} or {@code uri:URI}
   */
  public static void addCertificate(Path file, String name, String certificate, List<String> rules)
      throws IOException {
    add(file, name, Credential.CERTIFICATE, certificate, rules);
  }

  /** Adds a caller that is known by the subject of its JWTs, as {@link #addToken}. */
  public static void addSubject(Path file, String name, String subject, List<String> rules)
      throws IOException {
    add(file, name, Credential.SUBJECT, subject, rules);
  }

  private static void add(
      Path file, String name, Credential credential, String value, List<String> rules)
      throws IOException {
    String line =
        CallerLines.line(new Entry(CallerLines.caller(name, rules), credential, value, null));
    rewrite(file, lines -> lines.add(line));
  }

  /**
   * Gives a caller a new token. Its former one is of use for a while, so that clients can change to
   * the new one.
   *
   * @param until when the former token is of no use any more
   * @return the new token, which is stored nowhere
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if the file has no such caller, or with
   *     {@link ErrorKind#INVALID_REQUEST} if it is not known by a token
   */
  public static String rotateToken(Path file, String name, Instant until) throws IOException {
    String token = CallerLines.newToken();
    change(
        file,
        name,
        entry -> {
          if (entry.credential() != Credential.TOKEN) {
            throw new FerryException(
                ErrorKind.INVALID_REQUEST,
                file
                    + ": '"
                    + name
                    + "' has no token; its certificate or its issuer says who it is");
          }
          Former former = new Former(entry.value(), until.truncatedTo(ChronoUnit.SECONDS));
          String digest = CallerLines.digest(token).toString();
          return new Entry(entry.caller(), Credential.TOKEN, digest, former);
        });
    return token;
  }

  /**
   * Changes what a caller may do. By what it is known stays.
   *
   * @param rules as for {@link #addToken}
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if the file has no such caller, or if a
   *     rule is malformed
   */
  public static void setRules(Path file, String name, List<String> rules) throws IOException {
    Caller caller = CallerLines.caller(name, rules);
    change(
        file, name, entry -> new Entry(caller, entry.credential(), entry.value(), entry.former()));
  }

  /** A change of a caller. */
  @FunctionalInterface
  private interface Change {
    Entry of(Entry entry) throws FerryException;
  }

  private static void change(Path file, String name, Change change) throws IOException {
    Entry before =
        CallerLines.parse(file, lines(file, FileModes::textOfOwner)).stream()
            .filter(entry -> entry.caller().name().equals(name))
            .findFirst()
            .orElseThrow(() -> unknown(file, name));
    String line = CallerLines.line(change.of(before));
    rewrite(file, lines -> lines.replaceAll(old -> CallerLines.isOf(old, name) ? line : old));
  }

  private static FerryException unknown(Path file, String name) {
    return new FerryException(
        ErrorKind.NOT_FOUND,
        file + ": no user '" + name + "'; 'ferry token list " + file + "' shows those it has");
  }

  /**
   * Removes a caller, by whatever it is known. Its token is of no use then.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if the file has no such caller
   */
  public static void removeToken(Path file, String name) throws IOException {
    if (list(file).stream().noneMatch(caller -> caller.name().equals(name))) {
      throw unknown(file, name);
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
      List<String> lines =
          new ArrayList<>(exists ? lines(file, FileModes::textOfOwner) : CallerLines.HEAD);
      change.accept(lines);
      CallerLines.parse(file, lines);
      FileModes.write(changed, lines);
      if (exists) {
        FileModes.copy(target, changed);
      }
      replace(target, changed, file);
    } catch (FerryException | RuntimeException e) {
      Files.deleteIfExists(changed);
      throw e;
    } catch (IOException e) {
      Files.deleteIfExists(changed);
      throw FerryException.of(e, file.toString());
    }
  }

  private static void replace(Path target, Path changed, Path file) throws IOException {
    try {
      Files.move(changed, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      throw new FerryException(
          ErrorKind.PERMISSION_DENIED,
          file
              + ": cannot be replaced ("
              + e.getReason()
              + "); if it is mounted by itself, as into a container, mount its folder",
          e);
    }
  }
}
