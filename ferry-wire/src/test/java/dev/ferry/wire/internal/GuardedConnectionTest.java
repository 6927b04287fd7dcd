package dev.ferry.wire.internal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.wire.ServerSettings;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GuardedConnectionTest {
  private static final int HEADERS_BYTES = 20;
  private static final int FRAME_BYTES = 9 + HEADERS_BYTES;
  private static final int REQUESTS = 2_000;

  private static ByteBuf requests() {
    ByteBuf sent = Unpooled.buffer();
    sent.writeBytes(Http2CodecUtil.connectionPrefaceBuf());
    for (int i = 0; i < REQUESTS; i++) {
      sent.writeMedium(HEADERS_BYTES).writeByte(Http2FrameTypes.HEADERS).writeByte(4);
      sent.writeInt(2 * i + 1).writeZero(HEADERS_BYTES);
    }
    return sent;
  }

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
    ByteBuf sent = requests();
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

  /** Records which connection is read; that of many requests has the other one send something. */
  private static final class Reads extends ChannelInboundHandlerAdapter {
    private final List<Integer> order = new CopyOnWriteArrayList<>();
    private final CountDownLatch enough = new CountDownLatch(REQUESTS * FRAME_BYTES);
    private @Nullable Socket other;

    ChannelHandler of(int connection) {
      return new ChannelInboundHandlerAdapter() {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
          ByteBuf bytes = (ByteBuf) message;
          if (connection == 0 && order.indexOf(0) < 0) {
            requireNonNull(other).getOutputStream().write(1);
          }
          order.add(connection);
          for (int i = 0; connection == 0 && i < bytes.readableBytes(); i++) {
            enough.countDown();
          }
          bytes.release();
        }
      };
    }
  }

  @Test
  void manyRequests_letOthersHaveTheirTurn() throws Exception {
    ConnectionGuard guard =
        new ConnectionGuard(ServerSettings.defaults(), new Refusals(), StreamEnd.RESET, false);
    Reads reads = new Reads();
    AtomicInteger accepted = new AtomicInteger();
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      Channel server =
          new ServerBootstrap()
              .group(loop)
              .channel(NioServerSocketChannel.class)
              .childHandler(
                  new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      ChannelHandler handler = reads.of(accepted.getAndIncrement());
                      channel.pipeline().addLast(guard.newHandler(), handler);
                    }
                  })
              .bind("127.0.0.1", 0)
              .sync()
              .channel();
      int port = ((InetSocketAddress) server.localAddress()).getPort();
      try (Socket many = new Socket("127.0.0.1", port);
          Socket other = new Socket("127.0.0.1", port)) {
        reads.other = other;
        many.getOutputStream().write(ByteBufUtil.getBytes(requests()));
        reads.enough.await();
      }
      assertThat(reads.order).contains(1);
      assertThat(reads.order.indexOf(1)).isLessThan(reads.order.lastIndexOf(0));
    } finally {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void connection_thatEndsBetweenTurns_holdsNothing(boolean handlerOnly) {
    ByteBuf sent = requests();
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
