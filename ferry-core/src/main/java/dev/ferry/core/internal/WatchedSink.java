package dev.ferry.core.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A sink that reports to a {@link StallWatch} while the disk is busy. */
final class WatchedSink extends ForwardingSink {
  private final StallWatch watch;

  WatchedSink(FileSink sink, StallWatch watch) {
    super(sink);
    this.watch = watch;
  }

  @Override
  public void write(ByteBuffer source) throws FerryException {
    watch.working(true);
    try {
      super.write(source);
    } finally {
      watch.working(false);
    }
  }

  @Override
  public void write(ByteBuffer[] sources, int offset, int count) throws FerryException {
    watch.working(true);
    try {
      super.write(sources, offset, count);
    } finally {
      watch.working(false);
    }
  }

  @Override
  public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest)
      throws FerryException {
    watch.pause();
    return super.commit(expectedSize, expectedDigest);
  }
}
