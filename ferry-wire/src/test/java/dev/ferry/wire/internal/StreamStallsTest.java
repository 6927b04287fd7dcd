package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class StreamStallsTest {
  private static final int LIMIT_SECONDS = 60;

  private final List<Integer> ended = new ArrayList<>();
  private final EmbeddedChannel channel =
      new EmbeddedChannel(
          new ChannelInboundHandlerAdapter(), Http2FrameCodecBuilder.forServer().build());
  private StreamStalls stalls;

  /** Begins a request whose body does not come. */
  @BeforeEach
  void begin() throws IOException {
    channel.freezeTime();
    stalls =
        new StreamStalls(
            channel.pipeline().firstContext(),
            Duration.ofSeconds(LIMIT_SECONDS),
            (context, http2, stream, why) -> {
              ended.add(stream.id());
              return Http2Error.CANCEL;
            },
            new Refusals());
    byte[] head = RawHttp2.head("POST", "/x");
    channel.writeInbound(
        Unpooled.buffer()
            .writeBytes(Http2CodecUtil.connectionPrefaceBuf())
            .writeMedium(0)
            .writeByte(Http2FrameTypes.SETTINGS)
            .writeByte(0)
            .writeInt(0)
            .writeMedium(head.length)
            .writeByte(Http2FrameTypes.HEADERS)
            .writeByte(RawHttp2.END_HEADERS)
            .writeInt(1)
            .writeBytes(head));
  }

  @AfterEach
  void close() {
    stalls.end();
    channel.finishAndReleaseAll();
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      channel.advanceTimeBy(1, TimeUnit.SECONDS);
      channel.runScheduledPendingTasks();
    }
  }

  @Test
  void silentClient_isEnded() {
    pass(LIMIT_SECONDS / 2);
    assertThat(ended).isEmpty();
    pass(LIMIT_SECONDS);
    assertThat(ended).containsExactly(1);
  }

  @Test
  void time_inWhichNothingIsRead_isNotCounted() {
    pass(LIMIT_SECONDS / 2);
    stalls.setReading(false);
    pass(10 * LIMIT_SECONDS);
    assertThat(ended).isEmpty();

    stalls.setReading(true);
    pass(LIMIT_SECONDS);
    assertThat(ended).containsExactly(1);
  }
}
