package dev.ferry.web.internal;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response on a connection of HTTP/1.1 or a stream of HTTP/2. State is the
 * event loop's alone.
 */
final class WebExchange extends ChannelInboundHandlerAdapter {
  /** What hears of it; on the event loop. */
  interface Listener {
    /** The request may be sent. */
    void opened(Channel channel);

    /** Something of the response came. */
    void arrived();

    /** The end of the call is not going to come. */
    void lost(IOException cause);
  }

  private final WebConnections connections;
  private final Inbound inbound;
  private final Listener listener;
  private @Nullable Channel channel;
  private boolean reused;
  private boolean anyRead;
  private boolean informational;
  private boolean keepAlive;
  private boolean requestEnded;
  private boolean responseEnded;
  private boolean over;

  WebExchange(WebConnections connections, Inbound inbound, Listener listener) {
    this.connections = connections;
    this.inbound = inbound;
    this.listener = listener;
  }

  /**
   * The request may be sent.
   *
   * @param connection with this as its last handler
   * @param usedBefore whether others have gone over it
   */
  void opened(Channel connection, boolean usedBefore) {
    channel = connection;
    reused = usedBefore;
    if (over) {
      end(false);
    } else {
      listener.opened(connection);
    }
  }

  /** There is no connection for it. */
  void failed(Throwable cause) {
    if (!over) {
      over = true;
      listener.lost(ConnectionLoss.unreached(cause));
    }
  }

  /** Lets more of the response come. */
  void resume() {
    if (channel != null && !over) {
      channel.config().setAutoRead(true);
    }
  }

  /** The request has been sent whole. */
  void requestEnded() {
    requestEnded = true;
    endIfComplete();
  }

  /** Gives up what is not complete. */
  void abort() {
    if (!over) {
      end(false);
    }
  }

  private void end(boolean complete) {
    over = true;
    Channel ended = channel;
    channel = null;
    if (ended != null) {
      if (ended.pipeline().context(this) != null) {
        ended.pipeline().remove(this);
      }
      connections.release(ended, complete && keepAlive);
    }
  }

  private void endIfComplete() {
    if (requestEnded && responseEnded && !over) {
      end(true);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    anyRead = true;
    listener.arrived();
    if (message instanceof HttpResponse response) {
      head(context, response);
    }
    if (message instanceof HttpContent content) {
      body(context, content);
    } else if (!(message instanceof HttpResponse)) {
      ReferenceCountUtil.release(message);
    }
  }

  private void head(ChannelHandlerContext context, HttpResponse response) {
    if (response.decoderResult().isFailure()) {
      exceptionCaught(context, response.decoderResult().cause());
      return;
    }
    informational = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    if (!informational) {
      keepAlive = HttpUtil.isKeepAlive(response);
      inbound.head(response);
    }
  }

  private void body(ChannelHandlerContext context, HttpContent content) {
    if (over || informational) {
      content.release();
      return;
    }
    if (content.decoderResult().isFailure()) {
      content.release();
      exceptionCaught(context, content.decoderResult().cause());
      return;
    }
    if (!inbound.add(content.content())) {
      context.channel().config().setAutoRead(false);
    }
    if (content instanceof LastHttpContent last) {
      responseEnded = true;
      context.channel().config().setAutoRead(true);
      // First: whoever hears of the end gives up what is not complete.
      endIfComplete();
      if (!last.trailingHeaders().isEmpty()) {
        inbound.trailers(last.trailingHeaders());
      }
      inbound.end();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof Http2ResetFrame reset) {
      boolean refused = reset.errorCode() == Http2Error.REFUSED_STREAM.code();
      IOException cause = new IOException("the server has reset the call");
      lost(refused ? ConnectionLoss.unseen(cause) : cause);
    } else if (event instanceof Http2GoAwayFrame) {
      // Of a stream that the server has not begun with.
      lost(ConnectionLoss.unseen(new IOException("the server closes the connection")));
    }
    ReferenceCountUtil.release(event);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    lost(new IOException("the connection was closed"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    lost(cause instanceof IOException e ? e : new IOException(cause.toString(), cause));
  }

  private void lost(IOException cause) {
    if (over || responseEnded) {
      abort();
      return;
    }
    end(false);
    listener.lost(reused && !anyRead ? ConnectionLoss.unanswered(cause) : cause);
  }
}
