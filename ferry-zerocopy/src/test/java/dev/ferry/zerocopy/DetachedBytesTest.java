package dev.ferry.zerocopy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import example.blobs.Blob;
import io.grpc.internal.CompositeReadableBuffer;
import io.grpc.internal.ReadableBuffers;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Messages in the buffers of grpc-java. */
final class DetachedBytesTest {
  private static final BytesField<Blob> DATA =
      BytesField.of(Blob.getDefaultInstance(), Blob.DATA_FIELD_NUMBER);

  private final byte[] data = new byte[1000];
  private final byte[] message;

  DetachedBytesTest() {
    new Random(1).nextBytes(data);
    message = Blob.newBuilder().setData(ByteString.copyFrom(data)).build().toByteArray();
  }

  /** Returns the message in buffers with these ends, of which some may be empty. */
  private InputStream stream(int... ends) {
    CompositeReadableBuffer buffers = new CompositeReadableBuffer();
    int begin = 0;
    for (int end : ends) {
      buffers.addBuffer(ReadableBuffers.wrap(ByteBuffer.wrap(message, begin, end - begin).slice()));
      begin = end;
    }
    return ReadableBuffers.openStream(buffers, true);
  }

  private static byte[] bytes(List<ByteBuffer> views) {
    ByteBuffer all = ByteBuffer.allocate(views.stream().mapToInt(ByteBuffer::remaining).sum());
    views.forEach(view -> all.put(view.duplicate()));
    return all.array();
  }

  @Test
  void buffers_messageWithEmptyBuffersInTheMiddle_areComplete() throws Exception {
    InputStream stream = stream(100, 100, 100, 500, 500, message.length, message.length);
    try (DetachedBytes detached = Objects.requireNonNull(DetachedBytes.of(stream))) {
      assertThat(detached.length()).isEqualTo(message.length);
      assertThat(bytes(detached.buffers())).isEqualTo(message);
    }
  }

  @Test
  void parse_messageInAnyBuffers_hasItsBytes() throws Exception {
    int[][] layouts = {
      {message.length},
      {1, message.length},
      {0, 2, 2, 3, message.length},
      {100, 100, 100, 500, 500, message.length, message.length}
    };
    for (int[] ends : layouts) {
      try (BytesMessage<Blob> parsed = DATA.marshaller("example.Method").parse(stream(ends))) {
        for (int times = 0; times < 2; times++) {
          assertThat(bytes(parsed.buffers())).isEqualTo(data);
        }
      }
    }
    assertThat(DATA.copies().snapshot().viewed()).isEqualTo(layouts.length);
    assertThat(DATA.copies().snapshot().copiedIn()).isZero();
  }

  @Test
  void parse_messageInTooManyBuffers_isCopied() throws Exception {
    int[] ends = new int[message.length];
    for (int i = 0; i < ends.length; i++) {
      ends[i] = i + 1;
    }
    BytesField<Blob> field = BytesField.of(Blob.getDefaultInstance(), Blob.DATA_FIELD_NUMBER);
    try (BytesMessage<Blob> parsed = field.marshaller("example.Method").parse(stream(ends))) {
      assertThat(bytes(parsed.buffers())).isEqualTo(data);
    }
    assertThat(field.copies().snapshot().copiedIn()).isEqualTo(1);
  }
}
