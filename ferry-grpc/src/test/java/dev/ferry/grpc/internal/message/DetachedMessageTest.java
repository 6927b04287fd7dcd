package dev.ferry.grpc.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ferry.core.TestFiles;
import dev.ferry.wire.internal.v1.FilePart;
import io.grpc.internal.CompositeReadableBuffer;
import io.grpc.internal.ReadableBuffers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Messages in the buffers of grpc-java. */
final class DetachedMessageTest {
  @Test
  void addViews_messageWithEmptyBuffersInTheMiddle_isComplete() throws Exception {
    byte[] chunk = TestFiles.random(1000, 1);
    byte[] message =
        FilePart.newBuilder().setChunk(ByteString.copyFrom(chunk)).build().toByteArray();
    CompositeReadableBuffer buffers = new CompositeReadableBuffer();
    int[] ends = {100, 100, 100, 500, 500, message.length, message.length};
    int begin = 0;
    for (int end : ends) {
      buffers.addBuffer(ReadableBuffers.wrap(ByteBuffer.wrap(message, begin, end - begin).slice()));
      begin = end;
    }
    DetachedMessage detached =
        Objects.requireNonNull(DetachedMessage.chunk(ReadableBuffers.openStream(buffers, true)));
    for (int times = 0; times < 2; times++) {
      List<ByteBuffer> views = new ArrayList<>();
      detached.addViews(views);
      ByteBuffer all = ByteBuffer.allocate(chunk.length);
      views.forEach(all::put);
      assertThat(all.array()).isEqualTo(chunk);
    }
    detached.release();
  }
}
