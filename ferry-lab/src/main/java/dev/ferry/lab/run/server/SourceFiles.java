package dev.ferry.lab.run.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Sha256;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files that a bench server has received, by their digests. If there is no room for another
 * one, those that were not used for the longest time are deleted. Used by one thread at a time.
 */
final class SourceFiles {
  private final Path folder;
  private final long mostBytes;

  /** Sizes by digest; those that were used last come last. */
  private final Map<String, Long> sizes = new LinkedHashMap<>();

  /**
   * Creates an empty collection.
   *
   * @param folder an empty folder
   * @param mostBytes the size of all files together
   */
  SourceFiles(Path folder, long mostBytes) {
    this.folder = folder;
    this.mostBytes = mostBytes;
  }

  /** Returns the file that a request names; null if it is not here. */
  @Nullable Path find(ServerRequest request) {
    Long size = sizes.remove(request.sha256());
    if (size == null) {
      return null;
    }
    sizes.put(request.sha256(), size);
    return size == request.bytes() ? folder.resolve(request.sha256()) : null;
  }

  /**
   * Checks that there can be room for a file.
   *
   * @throws FerryException if there cannot
   */
  void requireRoom(ServerRequest request) throws IOException {
    long usable = Files.getFileStore(folder).getUsableSpace() + total();
    // As much again for an upload.
    if (request.bytes() > mostBytes || request.bytes() > usable / 2) {
      throw new FerryException(
          ErrorKind.TOO_LARGE,
          "the file has %,d bytes and the server keeps %,d; give serve --bench more with --keep"
              .formatted(request.bytes(), Math.min(mostBytes, usable / 2)));
    }
  }

  private long total() {
    return sizes.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Receives a file.
   *
   * @throws IOException if it does not arrive, or is not the one that the request names; nothing is
   *     left of it then
   */
  Path receive(ServerRequest request, ControlConnection from) throws IOException {
    Iterator<Map.Entry<String, Long>> oldest = sizes.entrySet().iterator();
    while (oldest.hasNext() && total() > mostBytes - request.bytes()) {
      Files.deleteIfExists(folder.resolve(oldest.next().getKey()));
      oldest.remove();
    }
    Path part = folder.resolve(request.sha256() + ".part");
    try {
      try (OutputStream out = Files.newOutputStream(part)) {
        from.receive(request.bytes(), out);
      }
      if (!Sha256.ofFile(part).equals(request.digest())) {
        throw new FerryException(
            ErrorKind.DIGEST_MISMATCH, "the file that arrived has another digest");
      }
      Path file = Files.move(part, folder.resolve(request.sha256()));
      sizes.put(request.sha256(), request.bytes());
      return file;
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
