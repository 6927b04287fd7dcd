package dev.ferry.http.internal;

import static java.util.Objects.requireNonNull;

import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.CallReport;
import java.io.Closeable;
import org.jspecify.annotations.Nullable;

/**
 * The file that a request uploads. If a client repeats a request, it opens the body again.
 * Thread-safe.
 */
public final class Payload implements Closeable {
  private final FileSource source;
  private final TransferOptions options;
  private final CallReport report;
  private final int bufferSize;
  private long offset;
  private Digest.@Nullable Algorithm following;
  private @Nullable FileBody last;

  /**
   * @param source the file; the caller closes it
   * @param bufferSize bytes that are read and passed to the client at once
   * @param report receives the progress of the body
   */
  public Payload(FileSource source, TransferOptions options, int bufferSize, CallReport report) {
    this.source = source;
    this.options = options;
    this.report = report;
    this.bufferSize = bufferSize;
  }

  /**
   * Sends only the rest of the file, which is not compressed.
   *
   * @param first the position of the first byte
   */
  public Payload from(long first) {
    offset = first;
    return this;
  }

  /** Has the digest of the file computed while it is read, to follow the body. */
  public void followedBy(Digest.@Nullable Algorithm digest) {
    following = digest;
  }

  /** Returns the algorithm of the digest that follows the body; null if none does. */
  public Digest.@Nullable Algorithm following() {
    return following;
  }

  /**
   * Returns the digest of the file after its body was read to the end.
   *
   * @throws IllegalStateException if none follows
   */
  public Digest followingDigest() throws FerryException {
    return source.digest(requireNonNull(following));
  }

  /** Returns the length of the whole body in bytes; -1 if unknown. */
  public long length() {
    long size = source.facts().size();
    return options.gzip() || size == FileFacts.UNKNOWN_SIZE ? -1 : size - offset;
  }

  /** Returns the recommended number of bytes to pull at once. */
  public int bufferSize() {
    return bufferSize;
  }

  /** Opens the body from its beginning and closes the body opened before. */
  public synchronized FileBody open() {
    close();
    if (following != null) {
      source.computeWhileReading(following);
    }
    FileBody body =
        offset > 0
            ? new FileBody(source, offset, report, report.watch())
            : new FileBody(source, options.gzip(), bufferSize, report, report.watch());
    last = body;
    return body;
  }

  /** Returns the bytes of the body that were passed to the client. */
  public synchronized long sent() {
    return last == null ? 0 : last.produced();
  }

  @Override
  public synchronized void close() {
    if (last != null) {
      last.close();
    }
  }
}
