package dev.ferry.grpc.internal.message;

import dev.ferry.compress.ParallelDecompressor;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.grpc.internal.message.ChunkMessage.CompressedIncoming;
import dev.ferry.wire.internal.contract.Limits;
import dev.ferry.wire.internal.v1.FilePart;
import org.jspecify.annotations.Nullable;

/**
 * Has workers decompress the messages of a stream, several at once, and writes them in the order of
 * their arrival. The place of a message in the file is known before it is decompressed, but nothing
 * is assumed of a message before it is checked. Messages that are not compressed take their turn
 * like the others. Thread-safe.
 */
final class OrderedDecompression {
  /**
   * Decompressed bytes of messages at work or waiting for their turn, at most, beside one message.
   */
  private static final long BYTES_AT_WORK = 2 * 1024 * 1024;

  /**
   * Bytes in the line, as they arrived, beyond which the call's thread waits, as it does if it
   * writes to the disk itself. Honest streams do not get there unless the disk is slow; there may
   * be messages of {@link Limits#MAX_MESSAGE} bytes each under way.
   */
  private static final long BYTES_IN_LINE = 8 * 1024 * 1024;

  private final ParallelDecompressor<CompressedIncoming, ChunkMessage, FerryException> messages;

  /**
   * @param writer writes the chunks, one at a time
   */
  OrderedDecompression(
      ChunkWriter writer,
      MessageDecompressor decompressor,
      ChunkCounters counters,
      CompressionWorkers workers,
      ChunkWriter.Arrivals arrivals) {
    this.messages =
        new ParallelDecompressor<>(
            workers,
            new Steps(writer, decompressor, counters, arrivals),
            BYTES_AT_WORK,
            BYTES_IN_LINE);
  }

  private record Steps(
      ChunkWriter writer,
      MessageDecompressor decompressor,
      ChunkCounters counters,
      ChunkWriter.Arrivals arrivals)
      implements ParallelDecompressor.Steps<CompressedIncoming, ChunkMessage, FerryException> {
    @Override
    public @Nullable ChunkMessage decompress(CompressedIncoming message, boolean inTurn)
        throws FerryException {
      boolean kept = false;
      try {
        ChunkMessage.Plain result =
            inTurn ? decompressor.decompress(message) : decompressor.decompressAsStated(message);
        kept = result == null;
        if (result != null && result.header() == null) {
          counters.decompressed();
        }
        return result;
      } finally {
        if (!kept) {
          message.release();
        }
      }
    }

    @Override
    public void write(ChunkMessage message) throws FerryException {
      if (header(message) == null) {
        writer.gather(message);
      }
    }

    @Override
    public void written(ChunkMessage message) throws FerryException {
      FilePart header = header(message);
      if (header != null) {
        arrivals.header(header);
      } else {
        arrivals.taken(writer.bytes());
      }
    }

    private static @Nullable FilePart header(ChunkMessage message) {
      return message instanceof ChunkMessage.Plain plain ? plain.header() : null;
    }

    @Override
    public void discard(CompressedIncoming message) {
      message.release();
    }

    @Override
    public void release(ChunkMessage message) {
      message.release();
    }

    @Override
    public void failed(FerryException failure) {
      arrivals.failed(failure);
    }

    @Override
    public FerryException broken(String what, Throwable cause) {
      return new FerryException(ErrorKind.INTERNAL, what, cause);
    }

    @Override
    public FerryException closed() {
      return new FerryException(ErrorKind.CANCELLED, "the transfer was cancelled");
    }
  }

  /**
   * Takes ownership of a message, even if this method throws.
   *
   * @return true if it was written; false if {@link ChunkWriter.Arrivals} will report it
   */
  boolean add(ChunkMessage message) throws FerryException {
    if (message instanceof CompressedIncoming compressed) {
      long length = compressed.compressed().length();
      messages.add(compressed, Math.max(compressed.statedLength(), length), length);
      return false;
    }
    return messages.addReady(
        message, message instanceof ChunkMessage.Plain plain ? plain.message().length() : 0);
  }

  /** Returns whether {@link #awaitWritten} would wait. */
  boolean busy() {
    return messages.busy();
  }

  /** Waits until all messages were passed to the writer. */
  void awaitWritten() throws FerryException {
    try {
      messages.awaitWritten();
    } catch (InterruptedException e) {
      throw FerryException.interrupted("the transfer was cancelled", e);
    }
  }

  /** Releases the messages that are not written. May wait for a write in progress. */
  void close() {
    messages.close();
  }
}
