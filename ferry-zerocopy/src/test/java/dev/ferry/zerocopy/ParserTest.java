package dev.ferry.zerocopy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import example.blobs.Blob;
import example.blobs.Choice;
import example.blobs.Old;
import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import io.grpc.StatusRuntimeException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Generated encodings, valid and hostile, are read as protobuf's own parser reads them. */
class ParserTest {
  private static final int TRIES = Boolean.getBoolean("ferry.thorough") ? 4_000 : 1_000;

  static Stream<Arguments> fields() {
    return Stream.of(
        Arguments.of(Blob.getDefaultInstance(), Blob.DATA_FIELD_NUMBER),
        Arguments.of(Choice.getDefaultInstance(), Choice.CHUNK_FIELD_NUMBER),
        Arguments.of(Choice.getDefaultInstance(), Choice.MAYBE_FIELD_NUMBER),
        Arguments.of(Old.getDefaultInstance(), Old.DATA_FIELD_NUMBER),
        Arguments.of(dynamic(Blob.getDescriptor()), Blob.DATA_FIELD_NUMBER),
        Arguments.of(dynamic(Choice.getDescriptor()), Choice.CHUNK_FIELD_NUMBER),
        Arguments.of(dynamic(Old.getDescriptor()), Old.DATA_FIELD_NUMBER));
  }

  /** Returns a message without generated code. */
  private static DynamicMessage dynamic(Descriptor type) {
    return DynamicMessage.getDefaultInstance(type);
  }

  @ParameterizedTest
  @MethodSource("fields")
  <M extends MessageLite> void parse_ofAnyBytes_isWhatProtobufReads(M prototype, int number)
      throws IOException {
    PooledByteBufAllocator pool = new PooledByteBufAllocator(true, 0, 1, 8192, 3, 0, 0, true);
    BytesField<M> field = BytesField.of(prototype, number, pool);
    for (int seed = 0; seed < TRIES; seed++) {
      byte[] encoded = encoded(new Random(seed), number);
      int cuts = seed % 5;
      for (InputStream stream :
          new InputStream[] {new Views(encoded, cuts), new ByteArrayInputStream(encoded)}) {
        check(field, prototype, encoded, stream, seed);
      }
    }
    assertThat(pool.metric().directArenas().get(0).numActiveAllocations()).isZero();
  }

  private static <M extends MessageLite> void check(
      BytesField<M> field, M prototype, byte[] encoded, InputStream stream, int seed)
      throws IOException {
    MessageLite expected = null;
    try {
      expected = prototype.getParserForType().parseFrom(encoded);
    } catch (InvalidProtocolBufferException e) {
      // Then it must be refused.
    }
    try (BytesMessage<M> parsed =
        new BytesMarshaller<>(field, "example.Method", false).parse(stream)) {
      assertThat(parsed.message()).as("seed %d", seed).isEqualTo(expected);
      if (parsed.hasBytes()) {
        ByteString bytes = ByteString.EMPTY;
        for (ByteBuffer view : parsed.buffers()) {
          bytes = bytes.concat(ByteString.copyFrom(view.duplicate()));
        }
        assertThat(bytes.size()).isEqualTo(parsed.length());
        try (BytesMessage<M> again = field.message(parsed.rest(), bytes.toByteArray())) {
          assertThat(again.message()).as("seed %d", seed).isEqualTo(expected);
          InputStream sent = new BytesMarshaller<>(field, "example.Method", false).stream(again);
          assertThat(prototype.getParserForType().parseFrom(sent.readAllBytes()))
              .as("seed %d", seed)
              .isEqualTo(expected);
        }
      }
    } catch (StatusRuntimeException e) {
      if (expected != null) {
        fail("seed " + seed + " was refused: " + e);
      }
    }
    if (stream instanceof Views views) {
      assertThat(views.open()).as("seed %d", seed).isZero();
    }
  }

  /** Writes some fields, mostly well-formed, of which the one looked for is more likely. */
  private static byte[] encoded(Random random, int number) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream output = CodedOutputStream.newInstance(bytes);
    int fields = random.nextInt(6);
    for (int i = 0; i < fields; i++) {
      byte[] value = new byte[random.nextInt(4) == 0 ? random.nextInt(300) : random.nextInt(4)];
      random.nextBytes(value);
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> output.writeByteArray(number, value);
        case 3 -> output.writeInt64(1 + random.nextInt(4), random.nextLong());
        case 4 -> output.writeInt32(300, random.nextInt());
        case 5 -> output.writeString(1 + random.nextInt(4), "text");
        case 6 -> {
          output.writeTag(4, 3);
          output.writeByteArray(1, value);
          output.writeTag(random.nextInt(8) == 0 ? 5 : 4, 4);
        }
        default -> output.writeFixed32(7, random.nextInt());
      }
    }
    if (random.nextBoolean()) {
      // What Old requires.
      output.writeByteArray(1, new byte[] {9});
      output.writeInt32(2, 7);
    }
    output.flush();
    byte[] encoded = bytes.toByteArray();
    if (encoded.length > 0 && random.nextInt(6) == 0) {
      encoded[random.nextInt(encoded.length)] = (byte) random.nextInt();
    }
    return random.nextInt(12) == 0
        ? java.util.Arrays.copyOf(encoded, random.nextInt(encoded.length + 1))
        : encoded;
  }

  /** A message in several direct buffers, as grpc-java's transport gives it. */
  private static final class Views extends InputStream
      implements HasByteBuffer, Detachable, KnownLength {
    private static final PooledByteBufAllocator POOL =
        new PooledByteBufAllocator(true, 0, 1, 8192, 3, 0, 0, true);
    private final ByteBuf all;
    private final int cut;
    private @Nullable Views detached;

    Views(byte[] encoded, int cuts) {
      this(POOL.directBuffer(encoded.length + 1).writeBytes(encoded), cuts);
    }

    private Views(ByteBuf all, int cuts) {
      this.all = all;
      this.cut = Math.max(1, all.readableBytes() / (cuts + 1));
    }

    int open() {
      return detached == null ? 0 : detached.all.refCnt();
    }

    @Override
    public InputStream detach() {
      detached = new Views(all, 0);
      return detached;
    }

    @Override
    public boolean byteBufferSupported() {
      return true;
    }

    @Override
    public ByteBuffer getByteBuffer() {
      return all.nioBuffer(all.readerIndex(), Math.min(cut, all.readableBytes()))
          .asReadOnlyBuffer();
    }

    @Override
    public int available() {
      return all.readableBytes();
    }

    @Override
    public boolean markSupported() {
      return true;
    }

    @Override
    public synchronized void mark(int limit) {
      all.markReaderIndex();
    }

    @Override
    public synchronized void reset() {
      all.resetReaderIndex();
    }

    @Override
    public long skip(long n) {
      all.skipBytes((int) n);
      return n;
    }

    @Override
    public int read() {
      return all.isReadable() ? all.readByte() & 0xff : -1;
    }

    @Override
    public void close() {
      all.release();
    }
  }
}
