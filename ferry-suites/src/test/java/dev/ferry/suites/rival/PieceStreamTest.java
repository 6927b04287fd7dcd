package dev.ferry.suites.rival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.FileSink;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.http.internal.Pieces;
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

class PieceStreamTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  Path folder;

  private final AtomicInteger released = new AtomicInteger();

  private static final class Pieces extends PieceStream {
    private final Queue<Piece> pieces;

    Pieces(List<Piece> pieces) {
      this.pieces = new ArrayDeque<>(pieces);
    }

    @Override
    public @Nullable Piece next(boolean wait) {
      if (pieces.size() <= 1) {
        ended();
      }
      return pieces.poll();
    }

    @Override
    public void abandon() {
      // There is nobody to be told.
    }
  }

  private PieceStream.Piece piece() {
    return new PieceStream.Piece(ByteBuffer.wrap(new byte[] {1, 2}), released::incrementAndGet);
  }

  private static PieceStream.Piece takenBack() {
    return new PieceStream.Piece(
        ByteBuffer.wrap(new byte[] {1, 2}),
        () -> {
          throw new IllegalStateException("already released");
        });
  }

  @Test
  void writeNext_bufferTakenBackMeanwhile_failsAndReleasesTheOthers() throws Exception {
    try (Pieces stream = new Pieces(List.of(piece(), takenBack(), piece()));
        FileSink sink = LocalFileSink.create(folder.resolve("target"), SinkOptions.DEFAULT)) {
      assertThatThrownBy(() -> stream.writeNext(sink))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("taken back");
    }
    assertThat(released).hasValue(2);
  }

  @Test
  void read_bufferTakenBackMeanwhile_fails() throws Exception {
    try (Pieces stream = new Pieces(List.of(takenBack()))) {
      assertThatThrownBy(stream::readAllBytes)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("taken back");
    }
  }
}
