package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.wire.ServerSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GuardedConnectionTest {
  private static final int HEADERS_BYTES = 20;
  private static final int FRAME_BYTES = 9 + HEADERS_BYTES;

  /** A server that takes bytes, and whose event loop has others to read from. */
  private static final class Server extends ChannelInboundHandlerAdapter {
    private final ByteBuf received = Unpooled.buffer();
    private int most;
    private int before;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      received.writeBytes(bytes);
      bytes.release();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      most = Math.max(most, received.readableBytes() - before);
      before = received.readableBytes();
      // As Netty's decoders do.
      context.read();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 10_000, 1 << 20})
  void manyRequests_areServedInTurns(int size) {
    ByteBuf sent = Unpooled.buffer();
    sent.writeBytes(Http2CodecUtil.connectionPrefaceBuf());
    for (int stream = 1; stream < 4_000; stream += 2) {
      sent.writeMedium(HEADERS_BYTES).writeByte(Http2FrameTypes.HEADERS).writeByte(4);
      sent.writeInt(stream).writeZero(HEADERS_BYTES);
    }
    byte[] all = ByteBufUtil.getBytes(sent);
    Server server = new Server();
    ConnectionGuard guard =
        new ConnectionGuard(ServerSettings.defaults(), new Refusals(), StreamEnd.RESET, false);
    EmbeddedChannel channel = new EmbeddedChannel(guard.newHandler(), server);
    channel.freezeTime();
    while (sent.isReadable()) {
      boolean unused = channel.writeInbound(sent.readBytes(Math.min(size, sent.readableBytes())));
    }

    assertThat(ByteBufUtil.getBytes(server.received)).isEqualTo(all);
    assertThat(server.most).isLessThan(100 * FRAME_BYTES);
    assertThat(channel.config().isAutoRead()).isTrue();
    channel.finishAndReleaseAll();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void connection_thatEndsBetweenTurns_holdsNothing(boolean handlerOnly) {
    ByteBuf sent = Unpooled.directBuffer();
    sent.writeBytes(Http2CodecUtil.connectionPrefaceBuf());
    for (int stream = 1; stream < 400; stream += 2) {
      sent.writeMedium(HEADERS_BYTES).writeByte(Http2FrameTypes.HEADERS).writeByte(4);
      sent.writeInt(stream).writeZero(HEADERS_BYTES);
    }
    ConnectionGuard guard =
        new ConnectionGuard(ServerSettings.defaults(), new Refusals(), StreamEnd.RESET, false);
    EmbeddedChannel channel = new EmbeddedChannel(guard.newHandler(), new Server());
    channel.pipeline().fireChannelRead(sent);
    if (handlerOnly) {
      channel.pipeline().removeFirst();
    } else {
      channel.close();
    }
    channel.runPendingTasks();
    assertThat(sent.refCnt()).isZero();
    channel.finishAndReleaseAll();
  }
}
