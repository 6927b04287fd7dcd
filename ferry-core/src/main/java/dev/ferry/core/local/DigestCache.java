package dev.ferry.core.local;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.LocalFileSource;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.RecentMap;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Remembers digests of files, each for one version of a file. A file system may give the same
 * version to a file that replaces another one, so code that replaces a file must put its facts
 * before any lookup. A digest that is added later and contradicts those before takes their place.
 * Thread-safe. Keeps the {@value #CAPACITY} most recently used entries.
 */
final class DigestCache {
  private static final System.Logger LOG = System.getLogger(DigestCache.class.getName());

  private static final int CAPACITY = 10_000;

  private record Entry(String version, List<Digest> digests) {
    /** Returns these digests and those of a later entry; only the later if the file differs. */
    Entry with(Entry later) {
      if (!version.equals(later.version) || contradicts(later)) {
        return later;
      }
      return new Entry(
          version, Stream.concat(digests.stream(), later.digests.stream()).distinct().toList());
    }

    private boolean contradicts(Entry later) {
      return digests.stream()
          .anyMatch(
              digest ->
                  later.digests.stream()
                      .anyMatch(
                          other ->
                              other.algorithm() == digest.algorithm() && !other.equals(digest)));
    }
  }

  private record Key(StorePath path, @Nullable String version, Digest.Algorithm algorithm) {}

  private final Map<Path, Entry> entries = Collections.synchronizedMap(new RecentMap<>(CAPACITY));

  private final Map<Key, CompletableFuture<Digest>> computing = new ConcurrentHashMap<>();

  /** Whether a digest of some version of a file is known. */
  boolean knows(Path file) {
    return entries.containsKey(file);
  }

  /** Returns the digests of a version of a file that are known. */
  List<Digest> get(Path file, @Nullable String version) {
    Entry entry = entries.get(file);
    return entry != null && entry.version().equals(version) ? entry.digests() : List.of();
  }

  /** Remembers what is known of a new file, which may be nothing. */
  void put(Path file, FileFacts facts) {
    String version = facts.version();
    if (version == null || facts.digests().isEmpty()) {
      entries.remove(file);
    } else {
      entries.put(file, new Entry(version, facts.digests()));
    }
  }

  /** Forgets the digests of a file that was deleted or moved. */
  void remove(Path file) {
    entries.remove(file);
  }

  /** Remembers a digest beside the others of the same version. */
  void add(Path file, String version, Digest digest) {
    Entry added = new Entry(version, List.of(digest));
    Entry before = entries.get(file);
    if (before != null && before.version().equals(version) && before.contradicts(added)) {
      LOG.log(
          Level.WARNING,
          "{0}: has other bytes than before, with the same size and times. Check the disk, unless a"
              + " program writes to this file in a way that does not show",
          file);
    }
    entries.merge(file, added, Entry::with);
  }

  /**
   * Computes the digest of an open file. Calls for the same digest meanwhile wait for the first
   * one. If that is interrupted, another one computes it.
   */
  Digest compute(StorePath path, LocalFileSource source, Digest.Algorithm algorithm)
      throws FerryException {
    Key key = new Key(path, source.facts().version(), algorithm);
    while (true) {
      CompletableFuture<Digest> result = new CompletableFuture<>();
      CompletableFuture<Digest> running = computing.putIfAbsent(key, result);
      Digest digest =
          running == null ? compute(key, source, result) : await(running, source.facts().name());
      if (digest != null) {
        return digest;
      }
    }
  }

  private Digest compute(Key key, LocalFileSource source, CompletableFuture<Digest> result)
      throws FerryException {
    try {
      Digest digest = source.digest(key.algorithm());
      source.verifyUnchanged();
      computing.remove(key);
      result.complete(digest);
      return digest;
    } catch (FerryException | RuntimeException | Error e) {
      // An Error as well: the calls that wait must end.
      computing.remove(key);
      result.completeExceptionally(e);
      throw e;
    }
  }

  /** Returns the digest that another call computes; null if that call was interrupted. */
  private static @Nullable Digest await(CompletableFuture<Digest> running, String name)
      throws FerryException {
    try {
      return running.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof FerryException cause && cause.kind() == ErrorKind.CANCELLED) {
        return null;
      }
      throw e.getCause() instanceof FerryException cause
          ? new FerryException(cause.kind(), String.valueOf(cause.getMessage()), cause)
          : new FerryException(ErrorKind.INTERNAL, name + ": " + e.getCause(), e);
    } catch (InterruptedException e) {
      throw FerryException.interrupted(name + ": cancelled", e);
    }
  }
}
