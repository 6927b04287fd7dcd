package dev.ferry.grpc.internal.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import dev.ferry.compress.CompressionCodec;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
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
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The format writes what protobuf's generated code writes, and reads whatever it could write. */
class ChunkFormatPropertyTest {
  private static final String METHOD = "ferry.v1.Files/Download";

  private static final ChunkFormat FORMAT =
      new ChunkFormat(
          new HandOffAllocator(UnpooledByteBufAllocator.DEFAULT),
          new CompressionWorkers("test", () -> CompressionCodec.GZIP_JDK));

  private static final GatheringWriter.Arrivals NOBODY =
      new GatheringWriter.Arrivals() {
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
        GatheringWriter writer = FORMAT.writer(sink, NOBODY)) {
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

  @Property(tries = 300)
  void chunk_ofAnyLength_isEncodedAsGeneratedCodeDoes(
      @ForAll @IntRange(min = 1, max = 70_000) int length, @ForAll int seed) throws Exception {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    Path file = Files.createTempFile("codecs", null);
    try {
      Files.write(file, bytes);
      FilePart part = FilePart.newBuilder().setChunk(ByteString.copyFrom(bytes)).build();
      assertThat(encoded(file, length)).isEqualTo(part.toByteArray());
    } finally {
      Files.delete(file);
    }
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

  @Provide
  Arbitrary<FilePart> parts() {
    Arbitrary<ByteString> bytes =
        Arbitraries.bytes().array(byte[].class).ofMaxSize(3000).map(ByteString::copyFrom);
    Arbitrary<FilePart> chunks = bytes.map(b -> FilePart.newBuilder().setChunk(b).build());
    Arbitrary<FilePart> ends =
        bytes.map(b -> FilePart.newBuilder().setEnd(FileEnd.newBuilder().setSha256(b)).build());
    Arbitrary<FilePart> facts =
        Combinators.combine(Arbitraries.strings(), Arbitraries.longs())
            .as(
                (name, size) ->
                    FilePart.newBuilder()
                        .setFacts(FileFacts.newBuilder().setName(name).setSize(size))
                        .build());
    return Arbitraries.oneOf(chunks, ends, facts, Arbitraries.just(FilePart.getDefaultInstance()));
  }

  @Property(tries = 300)
  void message_ofAnyKind_isRead(
      @ForAll("parts") FilePart part, @ForAll @IntRange(max = 3000) int split) throws Exception {
    assertReads(part.toByteArray(), part, split);
  }

  @Property(tries = 200)
  void message_inAnUnusualEncoding_isRead(
      @ForAll @Size(max = 200) byte[] first,
      @ForAll @Size(max = 200) byte[] last,
      @ForAll @IntRange(min = 6, max = 100) int unknownField,
      @ForAll @IntRange(max = 300) int split)
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

  @Property(tries = 500)
  void message_thatIsGarbage_isRefusedOrReadAsGeneratedCodeDoes(
      @ForAll @Size(max = 50) byte[] garbage) throws Exception {
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
