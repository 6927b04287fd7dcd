package dev.ferry.wire.internal;

import dev.ferry.core.FerryException;
import dev.ferry.wire.ServerSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Guards the connections of one port. It counts them together with those of other ports, closes
 * connections without a handshake in time, or of another protocol, closes HTTP/2 connections that
 * send too many control frames, and resets streams whose client has stalled.
 *
 * <p>It inspects the bytes before the server does, so it works with any Netty-based server.
 * Thread-safe.
 */
public final class ConnectionGuard {
  private final ServerSettings settings;
  private final Refusals refusals;
  private final @Nullable StreamEnd stallEnd;
  private final boolean http2Alone;
  private final @Nullable MessageShares messages;
  private final @Nullable UntakenBytes untaken;
  private final LongSupplier nanoTime;
  private final Set<ChannelHandlerContext> connections = ConcurrentHashMap.newKeySet();

  /**
   * Creates the guard of a port.
   *
   * @param refusals counts rejected connections and streams
   * @param stallEnd reports the stall to the client of a stalled HTTP/2 stream; null if the server
   *     itself detects stalls
   * @param grpc whether the server speaks gRPC alone, and sends its SETTINGS at once; what does not
   *     begin as HTTP/2 is kept from it
   */
  public ConnectionGuard(
      ServerSettings settings, Refusals refusals, @Nullable StreamEnd stallEnd, boolean grpc) {
    this(settings, refusals, stallEnd, grpc, System::nanoTime);
  }

  ConnectionGuard(
      ServerSettings settings,
      Refusals refusals,
      @Nullable StreamEnd stallEnd,
      boolean grpc,
      LongSupplier nanoTime) {
    this.settings = settings;
    this.refusals = refusals;
    this.stallEnd = stallEnd;
    this.http2Alone = grpc;
    // As much as for responses that wait for their readers.
    long some = Runtime.getRuntime().maxMemory() / 4;
    this.messages = grpc ? new MessageShares(some) : null;
    this.untaken = grpc ? new UntakenBytes(some) : null;
    this.nanoTime = nanoTime;
  }

  /**
   * Creates the handler of one connection. It must be the first handler that sees plaintext bytes,
   * and must be added before the first read.
   */
  public ChannelHandler newHandler() {
    return new GuardedConnection(
        settings, refusals, stallEnd, http2Alone, messages, untaken, connections, nanoTime);
  }

  /**
   * Tells the clients of the open HTTP/2 connections to begin no more streams on them. Streams that
   * were begun meanwhile are served.
   *
   * @param why for people, in US-ASCII
   */
  public void goAway(String why) {
    onConnections(
        (context, http2) -> {
          ChannelHandlerContext handler = context.pipeline().context(http2);
          ByteBuf text = ByteBufUtil.writeAscii(context.alloc(), why);
          http2.goAway(
              handler, Integer.MAX_VALUE, Http2Error.NO_ERROR.code(), text, handler.newPromise());
          http2.flush(handler);
        });
  }

  /** Ends all streams of the open HTTP/2 connections. */
  public void endStreams(StreamEnd end, FerryException why) {
    onConnections(
        (context, http2) -> {
          for (Http2Stream stream : ActiveStreams.of(http2)) {
            ActiveStreams.end(context, http2, stream, end, why);
          }
        });
  }

  private void onConnections(BiConsumer<ChannelHandlerContext, Http2ConnectionHandler> action) {
    for (ChannelHandlerContext context : connections) {
      context
          .executor()
          .execute(
              () -> {
                Http2ConnectionHandler http2 = context.pipeline().get(Http2ConnectionHandler.class);
                if (http2 != null) {
                  action.accept(context, http2);
                }
              });
    }
  }
}
