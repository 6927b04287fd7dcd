package dev.ferry.suites.calls.service.http;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.ConcurrencyLimiter;
import dev.ferry.suites.tls.NettyTls;
import dev.ferry.wire.ServerTls;
import dev.ferry.zerocopy.EventLoops;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;
import io.netty.handler.codec.http2.CleartextHttp2ServerUpgradeHandler;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ServerUpgradeCodec;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A server for small calls with JSON on Netty's codecs alone, as its examples set them up, with the
 * routes of {@link CallRoutes}: HTTP/1.1, and in plain text HTTP/2, with prior knowledge or by an
 * upgrade. Requests are handled on its event loops, which it does not share with the clients of
 * this process. Requests beyond the limits of the {@link ConcurrencyLimiter}, for instance because
 * slow clients do not read, are rejected immediately with {@link ErrorKind#OVERLOADED}.
 * Thread-safe.
 */
public final class HttpCallServer implements AutoCloseable {
  private final EventLoops loops;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final Backend backend;
  private final ConcurrencyLimiter limiter;
  private final Channel listener;

  private HttpCallServer(
      Backend backend, String host, int port, @Nullable ServerTls tls, ConcurrencyLimiter limiter)
      throws FerryException {
    this.backend = backend;
    this.limiter = limiter;
    SslContext context =
        tls == null ? null : NettyTls.server(tls, ApplicationProtocolNames.HTTP_1_1);
    loops = new EventLoops("ferry-calls-http", Runtime.getRuntime().availableProcessors());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops.group())
            .channelFactory(loops.serverChannels())
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connections.add(channel);
                    if (context == null) {
                      addPlain(channel.pipeline());
                    } else {
                      channel
                          .pipeline()
                          .addLast(context.newHandler(channel.alloc()), new HttpServerCodec());
                      addHttp1(channel.pipeline());
                    }
                  }
                })
            .bind(new InetSocketAddress(host, port))
            .awaitUninterruptibly();
    listener = bound.channel();
    if (!bound.isSuccess()) {
      loops.closeIdle();
      throw new FerryException(
          ErrorKind.UNAVAILABLE,
          "cannot listen on " + host + ":" + port + ": " + bound.cause().getMessage(),
          bound.cause());
    }
  }

  /**
   * Starts a server, with or without TLS.
   *
   * @param host address or name of the interface to listen on
   * @param port 0 selects a free port
   * @param tls the certificate; null for plaintext
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if it cannot listen there
   */
  public static HttpCallServer start(
      Backend backend, String host, int port, @Nullable ServerTls tls) throws FerryException {
    return start(backend, host, port, tls, new ConcurrencyLimiter());
  }

  static HttpCallServer start(
      Backend backend, String host, int port, @Nullable ServerTls tls, ConcurrencyLimiter limiter)
      throws FerryException {
    return new HttpCallServer(backend, host, port, tls, limiter);
  }

  /** Reads the preface of HTTP/2, or else requests of HTTP/1.1, of which the first may upgrade. */
  private void addPlain(ChannelPipeline pipeline) {
    HttpServerCodec http1 = new HttpServerCodec();
    HttpServerUpgradeHandler upgrade =
        new HttpServerUpgradeHandler(
            http1,
            protocol ->
                AsciiString.contentEquals(Http2CodecUtil.HTTP_UPGRADE_PROTOCOL_NAME, protocol)
                    ? new Http2ServerUpgradeCodec(frames(), streams())
                    : null,
            CallRoutes.MAX_BODY);
    ChannelHandler http2 =
        new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel channel) {
            channel.pipeline().addLast(frames(), streams());
          }
        };
    pipeline.addLast(
        new CleartextHttp2ServerUpgradeHandler(http1, upgrade, http2),
        new ChannelInboundHandlerAdapter() {
          @Override
          public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest) {
              // It was not upgraded.
              addHttp1(context.pipeline());
              context.fireChannelRead(message);
              context.pipeline().remove(this);
            } else {
              context.fireChannelRead(message);
            }
          }
        });
  }

  private void addHttp1(ChannelPipeline pipeline) {
    pipeline.addLast(new HttpServerKeepAliveHandler(), requests(), calls());
  }

  private static Http2FrameCodec frames() {
    return Http2FrameCodecBuilder.forServer().build();
  }

  private Http2MultiplexHandler streams() {
    return new Http2MultiplexHandler(
        new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel stream) {
            stream
                .pipeline()
                .addLast(new Http2StreamFrameToHttpObjectCodec(true), requests(), calls());
          }
        });
  }

  private static HttpObjectAggregator requests() {
    return new HttpObjectAggregator(CallRoutes.MAX_BODY);
  }

  private CallsHandler calls() {
    return new CallsHandler(backend, limiter);
  }

  /** The port that the server listens on. */
  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** Closes all connections immediately. */
  @Override
  public void close() {
    listener.close().awaitUninterruptibly();
    connections.close().awaitUninterruptibly();
    loops.close();
  }
}
