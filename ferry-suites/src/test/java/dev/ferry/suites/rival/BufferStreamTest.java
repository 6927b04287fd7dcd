package dev.ferry.suites.rival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.FileSink;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.local.LocalFileSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BufferStreamTest {
  @TempDir Path folder;

  private final AtomicInteger released = new AtomicInteger();

  private static final class FixedStream extends BufferStream {
    private final Queue<PooledBuffer> buffers;

    FixedStream(List<PooledBuffer> buffers) {
      this.buffers = new ArrayDeque<>(buffers);
    }

    @Override
    public @Nullable PooledBuffer next(boolean wait) {
      if (buffers.size() <= 1) {
        ended();
      }
      return buffers.poll();
    }

    @Override
    public void abandon() {
      // There is nobody to be told.
    }
  }

  private BufferStream.PooledBuffer buffer() {
    return new BufferStream.PooledBuffer(
        ByteBuffer.wrap(new byte[] {1, 2}), released::incrementAndGet);
  }

  private static BufferStream.PooledBuffer takenBack() {
    return new BufferStream.PooledBuffer(
        ByteBuffer.wrap(new byte[] {1, 2}),
        () -> {
          throw new IllegalStateException("already released");
        });
  }

  @Test
  void writeNext_bufferTakenBackMeanwhile_failsAndReleasesTheOthers() throws Exception {
    try (FixedStream stream = new FixedStream(List.of(buffer(), takenBack(), buffer()));
        FileSink sink = LocalFileSink.create(folder.resolve("target"), SinkOptions.DEFAULT)) {
      assertThatThrownBy(() -> stream.writeNext(sink))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("taken back");
    }
    assertThat(released).hasValue(2);
  }

  @Test
  void read_bufferTakenBackMeanwhile_fails() throws Exception {
    try (FixedStream stream = new FixedStream(List.of(takenBack()))) {
      assertThatThrownBy(stream::readAllBytes)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("taken back");
    }
  }
}
