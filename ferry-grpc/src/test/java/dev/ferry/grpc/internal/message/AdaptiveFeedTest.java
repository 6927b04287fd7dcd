package dev.ferry.grpc.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.core.Compression;
import dev.ferry.core.FileSource;
import dev.ferry.core.Generated;
import dev.ferry.grpc.internal.message.ChunkMessage.CompressedOutgoing;
import dev.ferry.wire.internal.v1.FilePart;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdaptiveFeedTest {
  private static final int REGION = 1 << 20;

  private final ByteArrayOutputStream received = new ByteArrayOutputStream();

  /** Whether each message was compressed, in order. */
  private final List<Boolean> compressed = new ArrayList<>();

  /** Takes all messages of a file, as a sender does. */
  private void send(Path file, int chunkSize) throws Exception {
    Semaphore ready = new Semaphore(0);
    ChunkFormat format =
        new ChunkFormat(
            UnpooledByteBufAllocator.DEFAULT,
            new CompressionWorkers("test", () -> CompressionCodec.GZIP_JDK));
    try (FileSource source = FileSource.open(file);
        ChunkFeed feed =
            format.compressedFeed(source, chunkSize, true, Compression.GZIP, ready::release)) {
      while (!feed.ended()) {
        ChunkMessage message = feed.next();
        if (message == null) {
          ready.acquire();
          continue;
        }
        compressed.add(ChunkFormat.compressed(message));
        receive(format, message);
        message.release();
        assertThat(feed.position()).isEqualTo(received.size());
      }
    } finally {
      format.close();
    }
  }

  private void receive(ChunkFormat format, ChunkMessage message) throws IOException {
    if (message instanceof CompressedOutgoing outgoing) {
      byte[] bytes = ByteBufUtil.getBytes(Objects.requireNonNull(outgoing.compressed()));
      try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
        FilePart.parseFrom(gzip.readAllBytes()).getChunk().writeTo(received);
      }
    } else {
      InputStream stream = format.marshaller("ferry.v1.Files/Download").stream(message);
      SentFrames.of(stream).chunks().writeTo(received);
    }
  }

  @Test
  void next_anyFileAndChunk_sendsTheFile() {
    Generated.check(
        20,
        input ->
            assertSendsTheFile(
                input.list(1, 4, input::flag),
                input.between(1, REGION),
                input.between(1_000, 300_000)));
  }

  private void assertSendsTheFile(List<Boolean> regions, int lastRegion, int chunkSize)
      throws Exception {
    byte[] content = regions(regions, lastRegion);
    Path file = Files.write(Files.createTempFile("adaptive", null), content);
    received.reset();
    try {
      send(file, chunkSize);
    } finally {
      Files.delete(file);
    }
    assertThat(received.toByteArray()).isEqualTo(content);
  }

  @Test
  void next_regionsOfBothKinds_compressesThoseThatBecomeSmaller(@TempDir Path directory)
      throws Exception {
    byte[] content = regions(List.of(true, false, false, true), REGION);

    send(Files.write(directory.resolve("file"), content), REGION / 4);

    assertThat(compressed)
        .containsExactly(
            true, true, true, true, false, false, false, false, false, false, false, false, true,
            true, true, true);
    assertThat(received.toByteArray()).isEqualTo(content);
  }

  @Test
  void next_emptyFile_sendsNothing(@TempDir Path directory) throws Exception {
    send(Files.write(directory.resolve("file"), new byte[0]), 1_000);

    assertThat(compressed).isEmpty();
  }

  /** Returns regions of zeros (true) or random bytes. */
  private static byte[] regions(List<Boolean> zeros, int lastRegion) {
    byte[] content = new byte[(zeros.size() - 1) * REGION + lastRegion];
    new Random(lastRegion).nextBytes(content);
    for (int i = 0; i < zeros.size(); i++) {
      if (zeros.get(i)) {
        int from = i * REGION;
        Arrays.fill(content, from, Math.min(content.length, from + REGION), (byte) 0);
      }
    }
    return content;
  }
}
