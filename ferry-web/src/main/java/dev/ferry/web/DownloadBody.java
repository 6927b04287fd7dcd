package dev.ferry.web;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.stream.AbortedStreamException;
import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A body that is read by workers as fast as it is taken: while one piece waits for the socket, the
 * next one is read, and no more. Each step runs after the one before, on any worker.
 */
final class DownloadBody {
  /** What the kernel copies best at once; small beside what a connection keeps in buffers. */
  static final int PIECE_BYTES = 256 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(DownloadBody.class);

  private final Pieces pieces;
  private final ByteBufAllocator allocator;
  private final Executor workers;
  private final HttpResponseWriter out = HttpResponse.streaming();
  private @Nullable ByteBuf next;
  private boolean last;

  private DownloadBody(Pieces pieces, ByteBufAllocator allocator, Executor workers) {
    this.pieces = pieces;
    this.allocator = allocator;
    this.workers = workers;
  }

  /**
   * Answers with a body whose first piece is read here and now.
   *
   * @param pieces closed with the answer, or at once where this fails
   * @throws FerryException if nothing of the body can be had: the head was not sent either
   */
  static HttpResponse send(
      ResponseHeaders head, Pieces pieces, ByteBufAllocator allocator, Executor workers)
      throws FerryException {
    DownloadBody body = new DownloadBody(pieces, allocator, workers);
    try {
      body.read();
    } catch (FerryException | RuntimeException | Error e) {
      body.release();
      throw e;
    }
    if (body.out.tryWrite(head)) {
      body.step();
    } else {
      body.release();
    }
    return body.out;
  }

  private void read() throws FerryException {
    ByteBuf piece = allocator.directBuffer(PIECE_BYTES, PIECE_BYTES);
    try {
      ByteBuffer room = piece.nioBuffer(0, PIECE_BYTES);
      last = pieces.fill(room);
      piece.writerIndex(room.position());
    } catch (FerryException | RuntimeException | Error e) {
      piece.release();
      throw e;
    }
    next = piece;
  }

  /** Gives a piece away, reads the one behind it, and waits until the first was taken. */
  private void step() {
    try {
      ByteBuf piece = next;
      next = null;
      // What cannot be written is released.
      boolean open = piece == null || out.tryWrite(HttpData.wrap(piece));
      if (last || !open) {
        release();
        out.close();
        return;
      }
      read();
      out.whenConsumed()
          .thenRunAsync(this::step, workers)
          .whenComplete((done, gone) -> releaseIf(gone));
    } catch (FerryException | RuntimeException | Error e) {
      release();
      // A body cannot say why it ends early: the stream is cut.
      LOG.debug("download cut: {}", e.toString());
      out.close(AbortedStreamException.get());
    }
  }

  /** The client or the server has gone; {@link #step} itself lets nothing through. */
  private void releaseIf(@Nullable Throwable gone) {
    if (gone != null) {
      release();
      out.close(AbortedStreamException.get());
    }
  }

  private void release() {
    ByteBuf piece = next;
    next = null;
    if (piece != null) {
      piece.release();
    }
    try {
      pieces.close();
    } catch (IOException e) {
      LOG.warn("cannot clean up: {}", e.getMessage());
    }
  }
}
