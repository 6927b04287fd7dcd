package dev.ferry.http.internal.server;

import dev.ferry.wire.internal.Refusals;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/**
 * Limits the requests of one HTTP/1.1 connection that wait until they are handled. One read may
 * have tens of thousands of them, which take twenty times as much memory when they are decoded, and
 * they wait for as long as the client reads no response. Beyond the limit, the connection ends with
 * the response in progress, and what follows is discarded (RFC 9112, 9.6). Only the event loop
 * accesses the state.
 */
final class Http1Backlog extends ChannelInboundHandlerAdapter {
  /**
   * What may wait, in bytes: 2,048 requests without a field. Ferry's client has 256 requests ahead,
   * whose heads have about 64 KiB together.
   */
  private static final int MAX_BYTES = 1024 * 1024;

  /** What a head or a part of a body takes, without its fields and the bytes of the body. */
  private static final int MESSAGE_BYTES = 256;

  /** What a short field takes. */
  private static final int FIELD_BYTES = 128;

  private final Refusals refusals;
  private int requests;
  private long bytes;
  private boolean refused;

  /**
   * @param refusals counts clients that send too much
   */
  Http1Backlog(Refusals refusals) {
    this.refusals = refusals;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!refused) {
      add(message, 1);
      // Parts of a body alone, however small, are those of the request in progress.
      if (requests > 0 && bytes > MAX_BYTES) {
        refused = true;
        refusals.count(Refusals.Reason.FLOOD);
        context.fireUserEventTriggered(ConnectionHandler.SERVER_CLOSES);
      }
    }
    if (refused) {
      ReferenceCountUtil.release(message);
    } else {
      context.fireChannelRead(message);
    }
  }

  /** Turns the end of the input into a message: it waits behind the requests that came before. */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE) {
      context.fireUserEventTriggered(ConnectionHandler.INPUT_ENDS);
      channelRead(context, ConnectionHandler.END_OF_INPUT);
    } else {
      context.fireUserEventTriggered(event);
    }
  }

  /** Records that a message no longer waits. */
  void taken(Object message) {
    add(message, -1);
  }

  private void add(Object message, int count) {
    HttpHeaders fields = EmptyHttpHeaders.INSTANCE;
    if (message instanceof HttpRequest request) {
      requests += count;
      fields = request.headers();
    } else if (message instanceof LastHttpContent end) {
      fields = end.trailingHeaders();
    }
    bytes += count * (MESSAGE_BYTES + (long) FIELD_BYTES * fields.size());
  }
}
