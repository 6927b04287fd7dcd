package dev.ferry.core;

import dev.ferry.core.internal.ForwardingSink;
import dev.ferry.core.internal.ForwardingStore;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** A store that receives files slowly. */
final class SlowStore extends ForwardingStore {
  private final long bytesPerSecond;
  private final Runnable onWrite;

  /**
   * @param onWrite called before each write
   */
  SlowStore(FileStore store, long bytesPerSecond, Runnable onWrite) {
    super(store);
    this.bytesPerSecond = bytesPerSecond;
    this.onWrite = onWrite;
  }

  @Override
  public FileSink create(StorePath path, CreateOptions options) throws FerryException {
    return new SlowSink(super.create(path, options));
  }

  private final class SlowSink extends ForwardingSink {
    SlowSink(FileSink sink) {
      super(sink);
    }

    @Override
    public void write(ByteBuffer source) throws FerryException {
      delay(source.remaining());
      super.write(source);
    }

    @Override
    public void write(ByteBuffer[] sources, int offset, int count) throws FerryException {
      long bytes = 0;
      for (int i = offset; i < offset + count; i++) {
        bytes += sources[i].remaining();
      }
      delay(bytes);
      super.write(sources, offset, count);
    }

    private void delay(long bytes) throws FerryException {
      onWrite.run();
      try {
        TimeUnit.NANOSECONDS.sleep(TimeUnit.SECONDS.toNanos(bytes) / bytesPerSecond);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new FerryException(ErrorKind.CANCELLED, "the server is closing", e);
      }
    }
  }
}
