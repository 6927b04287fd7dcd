package dev.ferry.core.local;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.LocalFileSource;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.RecentMap;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Caches digests of files. An entry is valid while the file's key, size and modification time are
 * unchanged. A file system may give all three to a file that replaces another one, so code that
 * replaces a file must put its digest, or null, before any lookup. Thread-safe. Keeps the {@value
 * #CAPACITY} most recently used entries.
 */
final class DigestCache {
  private static final int CAPACITY = 10_000;

  private record Version(@Nullable Object fileKey, long size, FileTime lastModified) {
    static Version of(BasicFileAttributes attributes) {
      return new Version(attributes.fileKey(), attributes.size(), attributes.lastModifiedTime());
    }
  }

  private record Entry(Version version, List<Digest> digests) {
    /** Returns these digests and those of a later entry; only the later if the file differs. */
    Entry with(Entry later) {
      if (!version.equals(later.version) || contradicts(later)) {
        return later;
      }
      return new Entry(
          version, Stream.concat(digests.stream(), later.digests.stream()).distinct().toList());
    }

    /** A file may be rewritten within one tick of the modification time. */
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

  private record Key(StorePath path, Version version, Digest.Algorithm algorithm) {}

  private final Map<Path, Entry> entries = Collections.synchronizedMap(new RecentMap<>(CAPACITY));

  private final Map<Key, CompletableFuture<Digest>> computing = new ConcurrentHashMap<>();

  /** Returns the digests of a file that are known. */
  List<Digest> get(Path file, BasicFileAttributes attributes) {
    Entry entry = entries.get(file);
    return entry != null && entry.version().equals(Version.of(attributes))
        ? entry.digests()
        : List.of();
  }

  /** Stores the only digest of a new file; null if none is known. */
  void put(Path file, BasicFileAttributes attributes, @Nullable Digest digest) {
    if (digest == null) {
      entries.remove(file);
    } else {
      entries.put(file, new Entry(Version.of(attributes), List.of(digest)));
    }
  }

  /** Forgets the digests of a file that was deleted. */
  void remove(Path file) {
    entries.remove(file);
  }

  /** Keeps the digests of a file that was moved, and forgets those of the file it replaced. */
  void move(Path source, Path target) {
    Entry entry = entries.remove(source);
    if (entry == null) {
      entries.remove(target);
    } else {
      entries.put(target, entry);
    }
  }

  /** Stores a digest beside the others of the same file. */
  void add(Path file, BasicFileAttributes attributes, Digest digest) {
    entries.merge(file, new Entry(Version.of(attributes), List.of(digest)), Entry::with);
  }

  /**
   * Computes the digest of an open file. Calls for the same digest meanwhile wait for the first
   * one. If that is interrupted, another one computes it.
   */
  Digest compute(StorePath path, LocalFileSource source, Digest.Algorithm algorithm)
      throws FerryException {
    Key key = new Key(path, Version.of(source.attributes()), algorithm);
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
