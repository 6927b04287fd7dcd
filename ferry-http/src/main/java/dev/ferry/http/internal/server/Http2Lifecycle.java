package dev.ferry.http.internal.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends an HTTP/2 connection if it is idle, if the server stops, or if the client is gone. Only the
 * event loop accesses the state.
 *
 * <p>While the port drains, a connection gets GOAWAY when its last stream has ended, and not at
 * once: java.net.http of JDK 17 ends running streams when it reads GOAWAY, and a request that it
 * sends at that moment might never end.
 */
final class Http2Lifecycle extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(Http2Lifecycle.class);

  private final Set<Channel> streams = new HashSet<>();
  private final Duration idleTimeout;
  private @Nullable IdleClose idle;
  private boolean closing;
  private boolean draining;

  /**
   * @param idleTimeout the longest time without a stream
   */
  Http2Lifecycle(Duration idleTimeout) {
    this.idleTimeout = idleTimeout;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    idle = new IdleClose(context, idleTimeout, streams::isEmpty);
    // The codec was added before, and has sent its SETTINGS.
    BodyMemory.openConnection(context);
  }

  /** Called when a stream was opened. */
  void opened(Channel stream) {
    streams.add(stream);
    stream
        .closeFuture()
        .addListener(
            f -> {
              streams.remove(stream);
              if (idle != null) {
                idle.used();
              }
              if (closing && streams.isEmpty()) {
                stream.parent().close();
              } else if (draining && streams.isEmpty()) {
                goAway(stream.parent());
              }
            });
  }

  /**
   * Tells the client to begin no more streams, after its last one has ended. Earlier, java.net.http
   * of JDK 17 would end its streams, and might never end one that it just begins.
   */
  private static void goAway(Channel connection) {
    connection.writeAndFlush(
        new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR).setExtraStreamIds(Integer.MAX_VALUE));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    // SETTINGS, PING and GOAWAY frames, which the codec has already handled.
    ReferenceCountUtil.release(message);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ConnectionHandler.SERVER_CLOSES) {
      closing = true;
      if (streams.isEmpty()) {
        context.close();
      } else {
        context.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
      }
    } else if (event == ConnectionHandler.SERVER_DRAINS) {
      draining = true;
    } else if (event == ConnectionHandler.SERVER_ENDS) {
      List.copyOf(streams).forEach(stream -> stream.pipeline().fireUserEventTriggered(event));
    } else if (!(event instanceof IdleStateEvent)) {
      // The connection guard handles stalled streams and sockets.
      context.fireUserEventTriggered(event);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    // A stream that is not being read would not see the end of the connection.
    List.copyOf(streams).forEach(Channel::close);
    if (idle != null) {
      idle.end();
    }
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof Http2Exception) {
      // The codec sends GOAWAY with the error code.
      LOG.debug("connection refused: {}", cause.toString());
      return;
    }
    if (cause instanceof IOException) {
      LOG.debug("connection lost: {}", cause.toString());
    } else {
      LOG.warn("connection closed after an unexpected failure", cause);
    }
    context.close();
  }
}
