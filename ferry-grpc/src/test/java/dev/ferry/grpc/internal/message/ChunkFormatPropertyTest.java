package dev.ferry.grpc.internal.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import dev.ferry.compress.CompressionCodec;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.Generated;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.wire.internal.v1.FileEnd;
import dev.ferry.wire.internal.v1.FileFacts;
import dev.ferry.wire.internal.v1.FilePart;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The format writes what protobuf's generated code writes, and reads whatever it could write. */
class ChunkFormatPropertyTest {
  private static final String METHOD = "ferry.v1.Files/Download";

  private static final ChunkFormat FORMAT =
      new ChunkFormat(
          UnpooledByteBufAllocator.DEFAULT,
          new CompressionWorkers("test", () -> CompressionCodec.GZIP_JDK));

  private static final ChunkWriter.Arrivals NOBODY =
      new ChunkWriter.Arrivals() {
        @Override
        public void taken(long bytes) {}

        @Override
        public void header(FilePart part) {}

        @Override
        public void failed(FerryException failure) {}
      };

  /** A stream that gives a few bytes at a time and does not know its length, like an inflater. */
  private static InputStream trickle(byte[] bytes, int split) {
    int at = Math.min(split, bytes.length);
    return new SequenceInputStream(
        new ByteArrayInputStream(bytes, 0, at),
        new ByteArrayInputStream(bytes, at, bytes.length - at));
  }

  private static byte[] written(ChunkMessage message) throws IOException {
    Path directory = Files.createTempDirectory("codecs");
    try (FileSink sink = LocalFileSink.create(directory.resolve("file"), SinkOptions.DEFAULT);
        ChunkWriter writer = FORMAT.writer(sink, NOBODY)) {
      writer.write(message);
      writer.flush();
      assertThat(writer.bytes()).isEqualTo(sink.written());
      sink.commit(-1, null);
      return Files.readAllBytes(directory.resolve("file"));
    } finally {
      Files.deleteIfExists(directory.resolve("file"));
      Files.delete(directory);
    }
  }

  private static void assertReads(byte[] bytes, FilePart expected, int split) throws IOException {
    for (InputStream stream : List.of(new ByteArrayInputStream(bytes), trickle(bytes, split))) {
      ChunkMessage message = FORMAT.marshaller(METHOD).parse(stream);
      FilePart header = FORMAT.header(message, true);
      if (expected.hasChunk()) {
        assertThat(header).isNull();
        assertThat(written(message)).isEqualTo(expected.getChunk().toByteArray());
      } else {
        assertThat(header).isEqualTo(expected);
      }
      message.release();
    }
  }

  private static void assertRefuses(byte[] bytes) throws IOException {
    ChunkMessage message = FORMAT.marshaller(METHOD).parse(new ByteArrayInputStream(bytes));
    assertThatThrownBy(() -> FORMAT.header(message, true))
        .isInstanceOfSatisfying(
            FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_REQUEST))
        .hasMessageStartingWith(METHOD + ": a message cannot be read: ");
  }

  @Test
  void chunk_ofAnyLength_isEncodedAsGeneratedCodeDoes() {
    Generated.check(
        300,
        input -> {
          byte[] bytes = new byte[1 + input.size(70_000)];
          new Random(input.anyLong()).nextBytes(bytes);
          Path file = Files.createTempFile("codecs", null);
          try {
            Files.write(file, bytes);
            FilePart part = FilePart.newBuilder().setChunk(ByteString.copyFrom(bytes)).build();
            assertThat(encoded(file, bytes.length)).isEqualTo(part.toByteArray());
          } finally {
            Files.delete(file);
          }
        });
  }

  private static byte[] encoded(Path file, int length) throws IOException {
    try (FileSource source = FileSource.open(file);
        ChunkFeed feed = FORMAT.feed(source, 0, length, length, false)) {
      ChunkMessage message = Objects.requireNonNull(feed.next());
      assertThat(feed.ended()).isTrue();
      try (InputStream stream = FORMAT.marshaller(METHOD).stream(message)) {
        return stream.readAllBytes();
      }
    }
  }

  private static FilePart part(Generated input) {
    FilePart.Builder part = FilePart.newBuilder();
    return switch (input.between(0, 3)) {
      case 0 -> part.setChunk(ByteString.copyFrom(input.bytes(3000))).build();
      case 1 ->
          part.setEnd(FileEnd.newBuilder().setSha256(ByteString.copyFrom(input.bytes(3000))))
              .build();
      case 2 -> {
        // Surrogates that are alone have no encoding.
        String name = new String(input.text(200).getBytes(UTF_8), UTF_8);
        yield part.setFacts(FileFacts.newBuilder().setName(name).setSize(input.anyLong())).build();
      }
      default -> FilePart.getDefaultInstance();
    };
  }

  @Test
  void message_ofAnyKind_isRead() {
    Generated.check(
        300,
        input -> {
          FilePart part = part(input);
          assertReads(part.toByteArray(), part, input.between(0, 3000));
        });
  }

  @Test
  void message_inAnUnusualEncoding_isRead() {
    Generated.check(
        200,
        input ->
            assertReadsTheLast(
                input.bytes(200), input.bytes(200), input.between(6, 100), input.between(0, 300)));
  }

  private static void assertReadsTheLast(byte[] first, byte[] last, int unknownField, int split)
      throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    // A oneof that is set twice: the last one counts, and unknown fields are skipped.
    out.writeByteArray(FilePart.CHUNK_FIELD_NUMBER, first);
    out.writeString(unknownField, "from a later version");
    out.writeByteArray(FilePart.CHUNK_FIELD_NUMBER, last);
    out.flush();
    FilePart expected = FilePart.newBuilder().setChunk(ByteString.copyFrom(last)).build();
    assertReads(bytes.toByteArray(), expected, split);
  }

  @Test
  void message_thatIsGarbage_isRefusedOrReadAsGeneratedCodeDoes() {
    Generated.check(
        500,
        input -> {
          byte[] garbage = input.flag() ? input.bytes(50) : part(input).toByteArray();
          if (garbage.length > 0) {
            garbage[input.between(0, Math.min(9, garbage.length - 1))] = input.anyByte();
          }
          assertRefusesOrReads(garbage);
        });
  }

  private static void assertRefusesOrReads(byte[] garbage) throws Exception {
    FilePart expected = null;
    try {
      expected = FilePart.parseFrom(garbage);
    } catch (IOException e) {
      assertThat(e).isNotNull();
    }
    if (expected == null) {
      assertRefuses(garbage);
    } else if (expected.hasChunk()) {
      assertReads(garbage, expected, 1);
    }
  }
}
