package dev.ferry.suites.rival.grpcjava;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.suites.files.v1.FilePart;
import org.jspecify.annotations.Nullable;

/**
 * Writes the messages of a stream to a file, which appears whole or not at all. For one thread at a
 * time, as grpc-java calls it.
 *
 * @param <M> a message
 */
final class ChunkReceiver<M> implements AutoCloseable {
  private final ChunkMessages<M> messages;
  private final Opener opener;
  private long size;
  private @Nullable Digest digest;
  private @Nullable FileSink sink;
  private boolean over;

  /** Opens the file when its facts arrive. */
  @FunctionalInterface
  interface Opener {
    FileSink open(FilePart first) throws FerryException;
  }

  ChunkReceiver(ChunkMessages<M> messages, Opener opener) {
    this.messages = messages;
    this.opener = opener;
  }

  /** Takes a message. After a failure, all further messages are released. */
  void take(M message) throws FerryException {
    if (over) {
      messages.release(message);
      return;
    }
    FilePart header = messages.header(message);
    try {
      if (header == null) {
        write(message);
      } else if (header.hasFacts()) {
        size = header.getFacts().getSize();
        digest =
            StockFacts.fromMessage(header.getFacts()).digests().stream().findAny().orElse(null);
        FileSink opened = opener.open(header);
        sink = opened;
        opened.expect(size);
      } else {
        digest = StockFacts.digest(header.getEnd());
      }
    } catch (FerryException e) {
      close();
      throw e;
    }
  }

  private void write(M chunk) throws FerryException {
    if (sink == null) {
      messages.release(chunk);
      throw new FerryException(ErrorKind.INVALID_REQUEST, "a stream does not begin with facts");
    }
    messages.write(chunk, sink);
  }

  /**
   * Gives the file its name after the end of the stream.
   *
   * @param verify whether a digest must have come, and be that of the file
   */
  FileFacts commit(boolean verify) throws FerryException {
    FileSink opened = sink;
    if (over || opened == null) {
      throw new FerryException(ErrorKind.INCOMPLETE, "the stream ended before the file");
    }
    Digest expected = verify ? digest : null;
    if (verify && expected == null) {
      throw new FerryException(ErrorKind.INCOMPLETE, "the file came without a digest");
    }
    return opened.commit(size, expected).withDigest(expected);
  }

  /** Discards what was not committed. */
  @Override
  public void close() {
    over = true;
    FileSink opened = sink;
    sink = null;
    if (opened != null) {
      try {
        opened.close();
      } catch (FerryException e) {
        // The first failure is the one to report.
        return;
      }
    }
  }
}
