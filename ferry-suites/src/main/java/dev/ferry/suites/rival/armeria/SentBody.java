package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.stream.AbortedStreamException;
import com.linecorp.armeria.common.stream.StreamWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A body that is read by workers as fast as it is taken: while one buffer waits for the socket, the
 * next one is read, and no more. Each step runs after the one before, on any worker.
 */
final class SentBody {
  /**
   * A good size for one copy by the kernel, and small compared with the buffers of a connection.
   */
  static final int BUFFER_BYTES = 256 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(SentBody.class);

  /**
   * What is read.
   *
   * @param fill fills a buffer
   * @param close called once or more
   */
  record Source(Fill fill, Runnable close) {
    /** Fills a buffer, and says whether it was the last one. */
    @FunctionalInterface
    interface Fill {
      boolean fill(ByteBuffer buffer) throws IOException;
    }
  }

  private final Source source;
  private final int bufferBytes;
  private final ByteBufAllocator allocator;
  private final Executor workers;
  private final StreamWriter<HttpObject> out;
  private final Consumer<Throwable> onFailure;
  private @Nullable ByteBuf next;
  private boolean last;

  private SentBody(
      Source source,
      int bufferBytes,
      ByteBufAllocator allocator,
      Executor workers,
      StreamWriter<HttpObject> out,
      Consumer<Throwable> onFailure) {
    this.source = source;
    this.bufferBytes = bufferBytes;
    this.allocator = allocator;
    this.workers = workers;
    this.out = out;
    this.onFailure = onFailure;
  }

  /**
   * Responds with a body. Its first buffer is read by the calling thread.
   *
   * @param source closed with the response, or at once if this fails
   * @throws IOException if the body cannot be read; then the head was not sent either
   */
  static HttpResponse respond(
      ResponseHeaders head, Source source, ByteBufAllocator allocator, Executor workers)
      throws IOException {
    HttpResponseWriter out = HttpResponse.streaming();
    SentBody body =
        new SentBody(
            source,
            BUFFER_BYTES,
            allocator,
            workers,
            out,
            // A body cannot say why it ends early: the stream is cut.
            failure -> LOG.debug("response cut: {}", failure.toString()));
    try {
      body.read();
    } catch (IOException | RuntimeException | Error e) {
      body.release();
      throw e;
    }
    if (out.tryWrite(head)) {
      body.step();
    } else {
      body.release();
    }
    return out;
  }

  /**
   * Sends the body of a request, all of it by workers.
   *
   * @param source closed with the request
   * @param onFailure called with the reason if the body cannot be read, before the request is cut
   */
  static void request(
      HttpRequestWriter out,
      Source source,
      int bufferBytes,
      ByteBufAllocator allocator,
      Executor workers,
      Consumer<Throwable> onFailure) {
    SentBody body = new SentBody(source, bufferBytes, allocator, workers, out, onFailure);
    try {
      workers.execute(body::begin);
    } catch (RejectedExecutionException e) {
      body.fail(e);
    }
  }

  private void begin() {
    try {
      read();
      step();
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
  }

  private void read() throws IOException {
    ByteBuf buffer = allocator.directBuffer(bufferBytes, bufferBytes);
    try {
      ByteBuffer room = buffer.nioBuffer(0, bufferBytes);
      last = source.fill().fill(room);
      buffer.writerIndex(room.position());
    } catch (IOException | RuntimeException | Error e) {
      buffer.release();
      throw e;
    }
    next = buffer;
  }

  /** Sends a buffer, reads the next one, and waits until the first was consumed. */
  private void step() {
    try {
      ByteBuf buffer = next;
      next = null;
      // A buffer that cannot be written is released.
      boolean open = buffer == null || out.tryWrite(HttpData.wrap(buffer));
      if (last || !open) {
        release();
        out.close();
        return;
      }
      read();
      out.whenConsumed()
          .thenRunAsync(this::step, workers)
          .whenComplete((done, gone) -> releaseIf(gone));
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
  }

  private void fail(Throwable failure) {
    release();
    onFailure.accept(failure);
    out.close(AbortedStreamException.get());
  }

  /** The other end has gone. {@link #step} handles all other failures. */
  private void releaseIf(@Nullable Throwable gone) {
    if (gone != null) {
      release();
      out.close(AbortedStreamException.get());
    }
  }

  private void release() {
    ByteBuf buffer = next;
    next = null;
    if (buffer != null) {
      buffer.release();
    }
    source.close().run();
  }
}
