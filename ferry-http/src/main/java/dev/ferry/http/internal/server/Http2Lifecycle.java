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
 * The end of an HTTP/2 connection: when it idles, when the server stops, when the client is gone.
 * State is the event loop's alone.
 */
final class Http2Lifecycle extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(Http2Lifecycle.class);

  private final Set<Channel> streams = new HashSet<>();
  private final Duration idleTimeout;
  private @Nullable IdleClose idle;
  private boolean closing;

  /**
   * @param idleTimeout longest time without a stream
   */
  Http2Lifecycle(Duration idleTimeout) {
    this.idleTimeout = idleTimeout;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    idle = new IdleClose(context, idleTimeout, streams::isEmpty);
  }

  /** A stream has begun. */
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
              }
            });
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    // Settings, pings and farewells, which the codec has dealt with.
    ReferenceCountUtil.release(message);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == RequestHandler.SERVER_CLOSES) {
      closing = true;
      if (streams.isEmpty()) {
        context.close();
      } else {
        context.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
      }
    } else if (!(event instanceof IdleStateEvent)) {
      // Streams and sockets that stand still are the guard's.
      context.fireUserEventTriggered(event);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    // A stream that is not read would not hear of it before it is.
    List.copyOf(streams).forEach(Channel::close);
    if (idle != null) {
      idle.end();
    }
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof Http2Exception) {
      // The codec says goodbye, with the code that belongs to it.
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
