package dev.ferry.suites.rival.blocks;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import io.netty.buffer.ByteBuf;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A file as blocks, published as they are compressed. A buffer is used anew when java.net.http has
 * sent it, which shows in its position.
 */
final class BlockPublisher implements BodyPublisher, AutoCloseable {
  private final FileSource source;
  private final int chunkBytes;
  private final BlockWorkers workers;
  private final SendBuffers buffers;
  private volatile @Nullable Blocks last;

  /**
   * Prepares.
   *
   * @param source stays the caller's to close, after this
   */
  BlockPublisher(FileSource source, int chunkBytes, BlockWorkers workers, SendBuffers buffers) {
    this.source = source;
    this.chunkBytes = chunkBytes;
    this.workers = workers;
    this.buffers = buffers;
  }

  @Override
  public long contentLength() {
    return -1;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    close();
    Blocks blocks = new Blocks(subscriber);
    last = blocks;
    subscriber.onSubscribe(blocks);
  }

  /** Bytes published. */
  long published() {
    Blocks blocks = last;
    return blocks == null ? 0 : blocks.published.get();
  }

  /**
   * Keeps the buffers for the next body; only after this one was sent and a response has arrived.
   */
  void recycle() {
    Blocks blocks = last;
    if (blocks != null) {
      blocks.sent.forEach(s -> buffers.give(s.block()));
      blocks.sent.clear();
    }
  }

  /** Releases the blocks that are not published. */
  @Override
  public void close() {
    Blocks blocks = last;
    if (blocks != null) {
      blocks.cancel();
    }
  }

  private record Sent(ByteBuf block, ByteBuffer view) {}

  private final class Blocks implements Flow.Subscription {
    private final Flow.Subscriber<? super ByteBuffer> subscriber;
    private final BlockCompression compressing;
    private final AtomicLong demand = new AtomicLong();
    private final AtomicLong published = new AtomicLong();

    /** Calls of {@link #publish} that one thread has still to handle. */
    private final AtomicInteger calls = new AtomicInteger();

    /** Accessed only by the thread that publishes. */
    private final Queue<Sent> sent = new ArrayDeque<>();

    private volatile boolean ended;

    Blocks(Flow.Subscriber<? super ByteBuffer> subscriber) {
      this.subscriber = subscriber;
      compressing = new BlockCompression(source, chunkBytes, workers, buffers::take, this::publish);
    }

    @Override
    public void request(long n) {
      demand.accumulateAndGet(n, (a, b) -> a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b);
      publish();
    }

    /**
     * Publishes compressed blocks that were requested. Any thread may call it; one at a time
     * publishes.
     */
    private void publish() {
      if (calls.getAndIncrement() > 0) {
        return;
      }
      int handled = 1;
      do {
        try {
          publishNow();
        } catch (FerryException | RuntimeException e) {
          cancel();
          subscriber.onError(e);
        }
        handled = calls.addAndGet(-handled);
      } while (handled > 0);
    }

    /** Nothing at all before the first demand: java.net.http is not ready for it. */
    private void publishNow() throws FerryException {
      while (!ended && demand.get() > 0 && !compressing.ended()) {
        reuse();
        ByteBuf block = compressing.next();
        if (block == null) {
          return;
        }
        demand.decrementAndGet();
        published.addAndGet(block.readableBytes());
        ByteBuffer view = block.nioBuffer();
        sent.add(new Sent(block, view));
        subscriber.onNext(view);
      }
      if (!ended && compressing.ended()) {
        ended = true;
        subscriber.onComplete();
      }
    }

    private void reuse() {
      for (Sent s = sent.peek(); s != null && !s.view().hasRemaining(); s = sent.peek()) {
        buffers.give(s.block());
        sent.remove();
      }
    }

    @Override
    public void cancel() {
      ended = true;
      compressing.close();
    }
  }
}
