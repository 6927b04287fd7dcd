package dev.ferry.zerocopy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.MessageLite;
import example.blobs.Blob;
import example.blobs.Choice;
import example.blobs.Old;
import example.blobs.WriteResponse;
import io.grpc.Drainable;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.function.Function;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BytesFieldTest {
  @Test
  void of_singleFieldOfBytes_isTaken() {
    assertThat(BytesField.of(Blob.getDefaultInstance(), Blob.DATA_FIELD_NUMBER).isAlone()).isTrue();
    assertThat(BytesField.of(Choice.getDefaultInstance(), Choice.CHUNK_FIELD_NUMBER).isAlone())
        .isFalse();
    assertThat(BytesField.of(Choice.getDefaultInstance(), Choice.MAYBE_FIELD_NUMBER).isAlone())
        .isTrue();
    assertThat(BytesField.of(Old.getDefaultInstance(), Old.DATA_FIELD_NUMBER).isAlone()).isTrue();
  }

  @Test
  void of_messageWithoutGeneratedCode_isTakenOrRefusedAsOneWith() {
    DynamicMessage choice = DynamicMessage.getDefaultInstance(Choice.getDescriptor());
    assertThat(BytesField.of(choice, Choice.CHUNK_FIELD_NUMBER).isAlone()).isFalse();
    assertThat(BytesField.of(choice, Choice.MAYBE_FIELD_NUMBER).isAlone()).isTrue();
    refused(choice, Choice.NAME_FIELD_NUMBER);
    refused(choice, Choice.MANY_FIELD_NUMBER);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 3, 5, 300, 17, 1 << 29})
  void of_anotherField_isRefusedByName(int number) {
    refused(Choice.getDefaultInstance(), number)
        .hasMessageContaining("(the message has chunk = 2, maybe = 4)");
  }

  @Test
  void of_stringOrGroupOfProto2_isRefused() {
    assertThat(refused(Old.getDefaultInstance(), Old.TEXT_FIELD_NUMBER)).isNotNull();
    assertThat(refused(Old.getDefaultInstance(), 4)).isNotNull();
    refused(WriteResponse.getDefaultInstance(), 1).hasMessageContaining("(the message has none)");
  }

  private static AbstractThrowableAssert<?, ?> refused(MessageLite prototype, int number) {
    return assertThatThrownBy(() -> BytesField.of(prototype, number))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("field " + number + " of " + prototype.getClass().getName())
        .hasMessageContaining("bytes");
  }

  @Test
  void message_whoseRestHasBytes_isRefused() {
    BytesField<Blob> data = BytesField.of(Blob.getDefaultInstance(), Blob.DATA_FIELD_NUMBER);
    Blob rest = Blob.newBuilder().setData(ByteString.copyFromUtf8("x")).build();
    assertThatThrownBy(() -> data.message(rest, new byte[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("leave it unset");
  }

  @Test
  void decode_inOneof_copiesOnlyBesideAnotherFieldOfIt() throws Exception {
    BytesField<Choice> chunk =
        BytesField.of(Choice.getDefaultInstance(), Choice.CHUNK_FIELD_NUMBER);
    ByteString bytes = ByteString.copyFromUtf8("bytes");
    Choice set = Choice.newBuilder().setChunk(bytes).setMaybe(bytes).setId(7).build();
    assertThat(isCopied(chunk, set.toByteString(), set)).isFalse();
    ByteString name = Choice.newBuilder().setName("n").build().toByteString();
    assertThat(isCopied(chunk, name.concat(set.toByteString()), set)).isTrue();
    Choice named = set.toBuilder().setName("n").build();
    assertThat(isCopied(chunk, set.toByteString().concat(name), named)).isTrue();
  }

  private static boolean isCopied(BytesField<Choice> field, ByteString encoded, Choice expected)
      throws Exception {
    ByteBuf buffer = Unpooled.directBuffer().writeBytes(encoded.asReadOnlyByteBuffer());
    try (BytesMessage<Choice> message = field.decode(buffer)) {
      assertThat(message.message()).isEqualTo(expected);
      return buffer.refCnt() == 0;
    }
  }

  /**
   * Several messages in one buffer, with and without other fields, are what generated code writes.
   */
  @Test
  void read_ofAnyLengthAndChunk_writesWhatAFramerWould() throws Exception {
    BytesField<Blob> data =
        BytesField.of(
            Blob.getDefaultInstance(), Blob.DATA_FIELD_NUMBER, UnpooledByteBufAllocator.DEFAULT);
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      byte[] file = new byte[random.nextInt(i < 100 ? 1_000 : 300_000)];
      random.nextBytes(file);
      int chunkSize = 1 + random.nextInt(Math.max(200, file.length));
      BytesField.Source<RuntimeException> source = (targets, at) -> fill(targets, file, at);

      ByteBuf frames = data.frames(source, 0, file.length, chunkSize);
      byte[] written = ByteBufUtil.getBytes(frames, 0, frames.capacity());
      frames.release();
      assertThat(written).isEqualTo(framed(file, chunkSize, at -> Blob.getDefaultInstance()));

      Function<Integer, Blob> rest = at -> Blob.newBuilder().setOffset(at).build();
      InputStream message =
          data.marshaller("example.Method").stream(
              data.read(source, 0, file.length, chunkSize, (at, n) -> rest.apply((int) at)));
      assertThat(drained(message)).isEqualTo(framed(file, chunkSize, rest));
    }
  }

  private static void fill(ByteBuffer[] targets, byte[] file, long position) {
    int at = (int) position;
    for (ByteBuffer target : targets) {
      int n = target.remaining();
      target.put(file, at, n);
      at += n;
    }
    assertThat(at).isEqualTo(file.length);
  }

  private static byte[] framed(byte[] file, int chunkSize, Function<Integer, Blob> rest)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    int at = 0;
    do {
      int n = Math.min(chunkSize, file.length - at);
      // The field is sent also if it is empty.
      ByteString blob =
          rest.apply(at).toByteString().concat(field(ByteString.copyFrom(file, at, n)));
      out.writeByte(0);
      out.writeInt(blob.size());
      blob.writeTo(out);
      at += n;
    } while (at < file.length);
    return bytes.toByteArray();
  }

  private static ByteString field(ByteString bytes) throws IOException {
    ByteString.Output output = ByteString.newOutput();
    CodedOutputStream coded = CodedOutputStream.newInstance(output);
    coded.writeBytes(Blob.DATA_FIELD_NUMBER, bytes);
    coded.flush();
    return output.toByteString();
  }

  /** Takes a message as grpc-java's framer does. */
  private static byte[] drained(InputStream message) throws IOException {
    try (message) {
      int length = message.available();
      int size = HandOffAllocator.PREFIX + length;
      ByteBuf frame = new HandOffAllocator(UnpooledByteBufAllocator.DEFAULT).buffer(size, size);
      try {
        frame.writeByte(0).writeInt(length);
        ((Drainable) message).drainTo(new ByteBufOutputStream(frame));
        return ByteBufUtil.getBytes(frame);
      } finally {
        frame.release();
      }
    }
  }
}
