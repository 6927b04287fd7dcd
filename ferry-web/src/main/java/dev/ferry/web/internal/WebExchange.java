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
 * One request and its response on an HTTP/1.1 connection or an HTTP/2 stream. Only the event loop
 * accesses the state.
 */
final class WebExchange extends ChannelInboundHandlerAdapter {
  /** Receives the events of an exchange on the event loop. */
  interface Listener {
    /** Called when the request may be sent. */
    void opened(Channel channel);

    /** Called when any data of the response has arrived. */
    void arrived();

    /** Called if the call cannot be completed. */
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
   * Starts the exchange on a connection.
   *
   * @param connection a connection with this object as its last handler
   * @param usedBefore whether the connection has served other exchanges
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

  /** Called if there is no connection for the exchange. */
  void failed(Throwable cause) {
    if (!over) {
      over = true;
      listener.lost(ConnectionLoss.unreached(cause));
    }
  }

  /** Allows more of the response to be read. */
  void resume() {
    if (channel != null && !over) {
      channel.config().setAutoRead(true);
    }
  }

  /** Called when the whole request was sent. */
  void requestEnded() {
    requestEnded = true;
    endIfComplete();
  }

  /** Aborts the exchange if it is not complete. */
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
      // This must happen first: the listener aborts an exchange that is not complete.
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
      // The server sent GOAWAY and did not process this stream.
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
    listener.lost(reused && !anyRead ? ConnectionLoss.withoutResponse(cause) : cause);
  }
}
