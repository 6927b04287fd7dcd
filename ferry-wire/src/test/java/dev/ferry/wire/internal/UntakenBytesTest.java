package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Background;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.contract.Limits;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2ConnectionPrefaceAndSettingsFrameWrittenEvent;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class UntakenBytesTest {
  private static final int SHARED = 4 << 20;
  private static final int WINDOW = 16 << 20;
  private static final int SENT = 12 << 20;
  private static final int FRAME = 16 * 1024;

  /** What one read may bring beyond the share. */
  private static final int ONE_READ = 1 << 20;

  private static final Duration STALL = Duration.ofSeconds(1);

  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final UntakenBytes untaken = new UntakenBytes(SHARED);
  private final List<Slow> connections = new CopyOnWriteArrayList<>();

  /** The calls of a connection, which take nothing until they may. Confined to the event loop. */
  private static final class Slow extends ChannelInboundHandlerAdapter {
    private final Channel channel;
    private final Http2FrameCodec codec;
    private final Queue<Http2DataFrame> waiting = new ArrayDeque<>();
    volatile long received;
    volatile long waits;
    volatile boolean failed;
    private boolean takes;

    Slow(Channel channel, Http2FrameCodec codec) {
      this.channel = channel;
      this.codec = codec;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ignored, Object event)
        throws Http2Exception {
      if (event instanceof Http2ConnectionPrefaceAndSettingsFrameWrittenEvent) {
        codec
            .connection()
            .local()
            .flowController()
            .incrementWindowSize(codec.connection().connectionStream(), WINDOW);
        channel.flush();
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext ignored, Object message) {
      if (message instanceof Http2DataFrame frame) {
        received += frame.initialFlowControlledBytes();
        waits += frame.initialFlowControlledBytes();
        waiting.add(frame);
        take();
      } else if (message instanceof Http2HeadersFrame head
          && head.headers().path().toString().equals("/ends")) {
        channel.writeAndFlush(
            new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("200"), true)
                .stream(head.stream()));
      } else {
        ReferenceCountUtil.release(message);
      }
    }

    private void take() {
      while (takes && !waiting.isEmpty()) {
        Http2DataFrame frame = waiting.remove();
        waits -= frame.initialFlowControlledBytes();
        channel.write(
            new DefaultHttp2WindowUpdateFrame(frame.initialFlowControlledBytes())
                .stream(frame.stream()));
        frame.release();
      }
      channel.flush();
    }

    void takeAll() {
      channel
          .eventLoop()
          .execute(
              () -> {
                takes = true;
                take();
              });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ignored, Throwable cause) {
      failed = true;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ignored) {
      waiting.forEach(Http2DataFrame::release);
      waiting.clear();
    }
  }

  @AfterEach
  void stop() throws Exception {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
  }

  private int serve(ServerSettings settings) throws InterruptedException {
    Channel server =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    Http2FrameCodec codec =
                        Http2FrameCodecBuilder.forServer()
                            .initialSettings(new Http2Settings().initialWindowSize(WINDOW))
                            .encoderEnforceMaxRstFramesPerWindow(
                                Limits.MAX_RESETS_SENT, (int) Limits.RESETS_PERIOD.toSeconds())
                            .build();
                    Slow calls = new Slow(channel, codec);
                    connections.add(calls);
                    channel
                        .pipeline()
                        .addLast(
                            new GuardedConnection(
                                settings,
                                new Refusals(),
                                StreamEnd.RESET,
                                true,
                                new MessageShares(SHARED),
                                untaken,
                                ConcurrentHashMap.newKeySet(),
                                System::nanoTime),
                            codec,
                            calls);
                  }
                })
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  /** Begins an upload, from an address of this machine. */
  private static RawHttp2 upload(int port, String from) throws IOException {
    return upload(port, from, "/x");
  }

  private static RawHttp2 upload(int port, String from, String path) throws IOException {
    Socket socket =
        new Socket(InetAddress.getByName("127.0.0.1"), port, InetAddress.getByName(from), 0);
    RawHttp2 raw = RawHttp2.open(socket);
    raw.acceptSettings();
    raw.request(1, false, "POST", path);
    return raw;
  }

  private static void send(RawHttp2 raw, int bytes) throws IOException {
    for (int sent = 0; sent < bytes; sent += FRAME) {
      raw.send(RawHttp2.DATA, 0, 1, new byte[FRAME]);
    }
  }

  private static boolean isRead(Slow connection) {
    return connection.channel.config().isAutoRead();
  }

  private static void pause() throws InterruptedException {
    Thread.sleep(2);
  }

  @Test
  void connection_whoseCallsTakeNothing_isReadUpToItsShare() throws Exception {
    int port = serve(ServerSettings.defaults());
    try (RawHttp2 greedy = upload(port, "127.0.0.2")) {
      Background<Void> sending =
          Background.start(
              () -> {
                send(greedy, SENT);
                return null;
              });
      Slow slow = connections.get(0);
      while (isRead(slow)) {
        pause();
      }
      assertThat(slow.waits).isBetween(SHARED / 4L, SHARED / 2L + ONE_READ);
      assertThat(untaken.counted()).isLessThanOrEqualTo(SHARED / 2);

      assertAnotherAddressIsRead(port);
      connections.forEach(Slow::takeAll);
      while (slow.received < SENT || untaken.counted() > 0) {
        pause();
      }
      assertThat(sending.result()).isNull();
      assertThat(isRead(slow)).isTrue();
      assertThat(slow.failed).isFalse();
    }
  }

  @Test
  void connection_thatIsNotReadForLong_losesItsLargestCall() throws Exception {
    int port = serve(ServerSettings.defaults().withStallTimeout(STALL));
    try (RawHttp2 greedy = upload(port, "127.0.0.2")) {
      greedy.request(3, false, "POST", "/x");
      greedy.send(RawHttp2.DATA, 0, 3, new byte[FRAME]);
      send(greedy, SENT);
      assertThat(greedy.await(RawHttp2.RST_STREAM).stream()).isEqualTo(1);
      greedy.send(RawHttp2.PING, 0, 0, new byte[8]);
      assertThat(greedy.await(RawHttp2.PING).flags()).isEqualTo(RawHttp2.ACK);
      assertThat(isRead(connections.get(0))).isTrue();
      while (untaken.counted() > FRAME) {
        pause();
      }
    }
  }

  @Test
  void calls_thatHaveEnded_holdNothing() throws Exception {
    int port = serve(ServerSettings.defaults());
    try (RawHttp2 greedy = upload(port, "127.0.0.2", "/ends")) {
      send(greedy, SENT);
      Slow slow = connections.get(0);
      while (slow.received < SENT) {
        pause();
      }
      assertThat(untaken.counted()).isZero();
      assertThat(isRead(slow)).isTrue();
    }
  }

  /** It may have half of the rest. */
  private void assertAnotherAddressIsRead(int port) throws Exception {
    try (RawHttp2 good = upload(port, "127.0.0.1")) {
      send(good, SHARED / 8);
      Slow other = connections.get(1);
      while (other.received < SHARED / 8) {
        pause();
      }
      assertThat(isRead(other)).isTrue();
    }
  }

  @Test
  void connection_thatEnds_holdsNothing() throws Exception {
    int port = serve(ServerSettings.defaults());
    try (RawHttp2 greedy = upload(port, "127.0.0.2")) {
      send(greedy, SHARED / 4);
      while (untaken.counted() == 0) {
        pause();
      }
    }
    while (untaken.counted() > 0) {
      pause();
    }
    assertThat(connections.get(0).waits).isPositive();
  }
}
