package dev.ferry.http.internal;

import dev.ferry.core.FileSource;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.CallReport;
import java.io.Closeable;
import org.jspecify.annotations.Nullable;

/**
 * The file that a request uploads. A client that sends a request once more opens its body anew.
 * Thread-safe.
 */
public final class Payload implements Closeable {
  private final FileSource source;
  private final TransferOptions options;
  private final CallReport report;
  private final int pieceSize;
  private @Nullable FileBody last;

  /**
   * @param source stays the caller's to close
   * @param pieceSize bytes that are read, and handed to the client, at once
   * @param report hears how far the body got
   */
  public Payload(FileSource source, TransferOptions options, int pieceSize, CallReport report) {
    this.source = source;
    this.options = options;
    this.report = report;
    this.pieceSize = pieceSize;
  }

  /** Bytes of the whole body; -1 where nobody knows yet. */
  public long length() {
    return options.gzip() ? -1 : source.facts().size();
  }

  /** Bytes that a client does well to take at once. */
  public int pieceSize() {
    return pieceSize;
  }

  /** The body from its beginning; what was opened before is closed. */
  public synchronized FileBody open() {
    close();
    FileBody body = new FileBody(source, options.gzip(), pieceSize, report, report.watch());
    last = body;
    return body;
  }

  /** Bytes of the body that were handed to the client. */
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
