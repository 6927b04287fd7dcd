package dev.ferry.core.local;

import dev.ferry.core.Sha256;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Caches digests of files. An entry is valid while the file's key, size and modification time are
 * unchanged. A file system may give all three to a file that replaces another one, so code that
 * replaces a file must put its digest, or null, before any lookup. Thread-safe. Keeps the {@value
 * #CAPACITY} most recently used entries.
 */
final class DigestCache {
  private static final int CAPACITY = 10_000;

  record Version(@Nullable Object fileKey, long size, FileTime lastModified) {
    static Version of(BasicFileAttributes attributes) {
      return new Version(attributes.fileKey(), attributes.size(), attributes.lastModifiedTime());
    }
  }

  private record Entry(Version version, Sha256 digest) {}

  private final Map<Path, Entry> entries =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Path, Entry> eldest) {
              return size() > CAPACITY;
            }
          });

  @Nullable Sha256 get(Path file, BasicFileAttributes attributes) {
    Entry entry = entries.get(file);
    return entry != null && entry.version().equals(Version.of(attributes)) ? entry.digest() : null;
  }

  /** Stores a digest; null removes the entry of the file. */
  void put(Path file, BasicFileAttributes attributes, @Nullable Sha256 digest) {
    if (digest == null) {
      entries.remove(file);
    } else {
      entries.put(file, new Entry(Version.of(attributes), digest));
    }
  }
}
