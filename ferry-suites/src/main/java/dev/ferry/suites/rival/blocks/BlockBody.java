package dev.ferry.suites.rival.blocks;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.local.LocalFileSink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Brings the blocks of a response to a file; any other body is a text. Closing it leaves nothing of
 * a file that was not committed.
 */
final class BlockBody implements BodyHandler<String>, AutoCloseable {
  private static final int OK = 200;

  private final Path target;
  private final BlockWorkers workers;
  private @Nullable FileSink sink;
  private @Nullable BlockReceiver receiver;
  private boolean closed;

  BlockBody(Path target, BlockWorkers workers) {
    this.target = target;
    this.workers = workers;
  }

  @Override
  public BodySubscriber<String> apply(ResponseInfo response) {
    boolean blocks =
        response
            .headers()
            .firstValue("Content-Encoding")
            .filter(BlockFormat.ENCODING::equals)
            .isPresent();
    return response.statusCode() == OK && blocks
        ? new Blocks()
        : BodySubscribers.ofString(StandardCharsets.UTF_8);
  }

  /**
   * Checks and renames the file whose body has come.
   *
   * @param size as announced
   * @throws FerryException if there is none, or it is not whole
   */
  synchronized FileFacts commit(long size) throws FerryException {
    if (sink == null) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          target.getFileName() + ": the server did not respond with " + BlockFormat.ENCODING);
    }
    return sink.commit(size, null);
  }

  /** Bytes of the body. */
  synchronized long wireBytes() {
    return receiver == null ? 0 : receiver.wireBytes();
  }

  private synchronized @Nullable BlockReceiver begin(BlockReceiver.Listener listener)
      throws FerryException {
    if (closed) {
      return null;
    }
    FileSink created = LocalFileSink.create(target, SinkOptions.DEFAULT);
    sink = created;
    receiver = new BlockReceiver(String.valueOf(target.getFileName()), created, workers, listener);
    return receiver;
  }

  @Override
  public synchronized void close() throws FerryException {
    closed = true;
    if (receiver != null) {
      receiver.close();
    }
    if (sink != null) {
      sink.close();
    }
  }

  private final class Blocks implements BodySubscriber<String>, BlockReceiver.Listener {
    private final CompletableFuture<String> written = new CompletableFuture<>();
    private volatile Flow.@Nullable Subscription source;
    private @Nullable BlockReceiver blocks;

    @Override
    public CompletionStage<String> getBody() {
      return written;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      source = subscription;
      try {
        blocks = begin(this);
        subscription.request(1);
      } catch (FerryException e) {
        failed(e);
      }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      if (blocks == null || written.isDone()) {
        return;
      }
      boolean more = true;
      for (ByteBuffer buffer : buffers) {
        // The client reads into a new buffer each time: this one is ours.
        ByteBuf bytes = Unpooled.wrappedBuffer(buffer);
        more = blocks.receive(bytes);
      }
      if (more) {
        resume();
      }
    }

    @Override
    public void onError(Throwable failure) {
      written.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      if (blocks != null) {
        blocks.end();
      }
    }

    @Override
    public void resume() {
      Flow.Subscription subscription = source;
      if (subscription != null) {
        subscription.request(1);
      }
    }

    @Override
    public void written() {
      written.complete("");
    }

    @Override
    public void failed(FerryException failure) {
      written.completeExceptionally(failure);
      Flow.Subscription subscription = source;
      if (subscription != null) {
        subscription.cancel();
      }
    }
  }
}
