package dev.ferry.grpc.internal.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.ForwardingSource;
import dev.ferry.core.Generated;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.zerocopy.BytesField;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchFeedTest {
  private static final BytesField<FilePart> FIELD =
      SentFrames.field(UnpooledByteBufAllocator.DEFAULT);

  private static byte[] framed(byte[] file, int chunkSize) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (int at = 0; at < file.length; at += chunkSize) {
      ByteString chunk = ByteString.copyFrom(file, at, Math.min(chunkSize, file.length - at));
      byte[] message = FilePart.newBuilder().setChunk(chunk).build().toByteArray();
      out.writeByte(0);
      out.writeInt(message.length);
      out.write(message);
    }
    return bytes.toByteArray();
  }

  @Test
  void next_ofAnyFileAndChunk_writesWhatAFramerWould() {
    Generated.check(
        300,
        input ->
            assertWritesWhatAFramerWould(1 + input.size(400_000), input.between(100, 300_000)));
  }

  private static void assertWritesWhatAFramerWould(int size, int chunkSize) throws Exception {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    Path file = Files.write(Files.createTempFile("batch", null), bytes);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    int untraced = 0;
    try (FileSource source = FileSource.open(file);
        BatchFeed feed = new BatchFeed(FIELD, source, 0, size, chunkSize, true)) {
      while (!feed.ended()) {
        SentFrames frames = SentFrames.of(FIELD, Objects.requireNonNull(feed.next()));
        untraced += frames.lengths().stream().skip(1).mapToInt(Integer::intValue).sum();
        written.write(frames.bytes());
      }
      assertThat(feed.position()).isEqualTo(size);
      assertThat(feed.untracedBytes()).isEqualTo(untraced);
    } finally {
      Files.delete(file);
    }
    assertThat(written.toByteArray()).isEqualTo(framed(bytes, chunkSize));
  }

  @Test
  void next_ofAFileThatWasCut_saysSoAndKeepsNoBuffer(@TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("file"), new byte[100_000]);
    try (FileSource source = FileSource.open(file);
        BatchFeed feed = new BatchFeed(FIELD, source, 0, 100_000, 4096, true)) {
      Files.write(file, new byte[50_000]);
      assertThatThrownBy(feed::next)
          .isInstanceOf(FerryException.class)
          .hasMessageContaining("50000 bytes");
    }
  }

  @Test
  void next_ofAFileThatThrows_keepsNoBuffer(@TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("file"), new byte[100_000]);
    UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(true);
    FileSource broken =
        new ForwardingSource(FileSource.open(file)) {
          @Override
          public void readFully(ByteBuffer[] destinations, long position) {
            throw new IllegalStateException("broken");
          }
        };
    try (broken;
        BatchFeed feed = new BatchFeed(SentFrames.field(buffers), broken, 0, 100_000, 4096, true)) {
      assertThatThrownBy(feed::next).hasMessage("broken");
    }
    assertThat(buffers.metric().usedDirectMemory()).isZero();
  }
}
