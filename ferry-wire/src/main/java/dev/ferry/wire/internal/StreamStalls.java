package dev.ferry.wire.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.Amounts;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resets HTTP/2 streams whose client neither sends nor accepts bytes that are due, and closes the
 * connection if its socket accepts no bytes.
 *
 * <p>The client has to send while its request is incomplete and the server has consumed all
 * received bytes. It has to accept bytes while a response waits for a flow-control window or for
 * the socket. All other time belongs to the server, for instance for a digest or a slow disk. Bytes
 * of DATA frames, even of incomplete ones, and window updates count as progress. Time is counted in
 * looks, so time in which the process is suspended does not count. State is confined to the event
 * loop.
 */
final class StreamStalls {
  private static final Logger LOG = LoggerFactory.getLogger(StreamStalls.class);

  /** Looks per limit. */
  private static final int LOOKS = 4;

  /** Number of tracked streams from which ended streams are removed before a new one is added. */
  private static final int MANY = 1024;

  /** Progress of a stream, now and at the last look. */
  private static final class Moves {
    private long received;
    private long granted;
    private long receivedBefore;
    private long grantedBefore;
    private int windowBefore;
    private int silent;

    /** Whether there was progress since the last look. */
    boolean look(int window) {
      boolean moved =
          received != receivedBefore || granted != grantedBefore || window != windowBefore;
      receivedBefore = received;
      grantedBefore = granted;
      windowBefore = window;
      return moved;
    }
  }

  private final ChannelHandlerContext context;
  private final Duration limit;
  private final StreamEnd end;
  private final Refusals refusals;
  private final Future<?> looking;
  private IntObjectMap<Moves> streams = new IntObjectHashMap<>();
  private @Nullable Object firstInSocket;
  private long leftOfFirst;
  private long waitingInSocket;
  private int socketSilent;
  private boolean reading = true;

  StreamStalls(ChannelHandlerContext context, Duration limit, StreamEnd end, Refusals refusals) {
    this.context = context;
    this.limit = limit;
    this.end = end;
    this.refusals = refusals;
    long nanos = Math.max(1, limit.toNanos() / LOOKS);
    this.looking =
        context.executor().scheduleWithFixedDelay(this::look, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  /** Records payload bytes of a stream. */
  void received(int stream, int bytes) {
    moves(stream).received += bytes;
  }

  /** Records a WINDOW_UPDATE of a stream. */
  void windowOpened(int stream, int bytes) {
    moves(stream).granted += bytes;
  }

  /**
   * Sets whether the server reads from the connection. Time in which it does not is not counted.
   */
  void setReading(boolean value) {
    reading = value;
  }

  private Moves moves(int stream) {
    Moves moves = streams.get(stream);
    if (moves == null) {
      if (streams.size() >= MANY) {
        forgetEnded();
      }
      moves = new Moves();
      streams.put(stream, moves);
    }
    return moves;
  }

  private void forgetEnded() {
    Http2ConnectionHandler http2 = http2();
    IntObjectMap<Moves> active = new IntObjectHashMap<>();
    if (http2 != null) {
      for (Http2Stream stream : ActiveStreams.of(http2)) {
        Moves moves = streams.get(stream.id());
        if (moves != null) {
          active.put(stream.id(), moves);
        }
      }
    }
    streams = active;
  }

  private @Nullable Http2ConnectionHandler http2() {
    return context.pipeline().get(Http2ConnectionHandler.class);
  }

  private void look() {
    Http2ConnectionHandler http2 = http2();
    if (http2 == null) {
      return;
    }
    if (isSocketStuck()) {
      refusals.count(Refusals.Reason.STALL);
      LOG.debug("connection of {} closed: it took no byte", context.channel().remoteAddress());
      context.close();
      return;
    }
    forgetEnded();
    if (!reading) {
      return;
    }
    for (Http2Stream stream : ActiveStreams.of(http2)) {
      look(http2, stream);
    }
  }

  /** Whether the socket has accepted no bytes for the limit. */
  private boolean isSocketStuck() {
    ChannelOutboundBuffer waiting = context.channel().unsafe().outboundBuffer();
    Object first = waiting == null ? null : waiting.current();
    long left = waiting == null ? 0 : waiting.currentProgress();
    long bytes = waiting == null ? 0 : waiting.totalPendingWriteBytes();
    // Compare all three: a released buffer may be reused for other bytes.
    boolean same = first == firstInSocket && left == leftOfFirst && bytes == waitingInSocket;
    socketSilent = first != null && same ? socketSilent + 1 : 0;
    firstInSocket = first;
    leftOfFirst = left;
    waitingInSocket = bytes;
    return socketSilent >= LOOKS;
  }

  private void look(Http2ConnectionHandler http2, Http2Stream stream) {
    boolean takes = http2.encoder().flowController().hasFlowControlled(stream);
    boolean sends =
        stream.state().remoteSideOpen()
            && http2.decoder().flowController().unconsumedBytes(stream) == 0;
    Moves moves = moves(stream.id());
    int window = http2.encoder().flowController().windowSize(stream);
    boolean moved = moves.look(window);
    moves.silent = moved || !(takes || sends) ? 0 : moves.silent + 1;
    if (moves.silent < LOOKS) {
      return;
    }
    long sent = http2.encoder().flowController().initialWindowSize() + moves.granted - window;
    String time = Amounts.time(limit);
    String why =
        takes
            ? "the client took no byte for " + time + ", after " + sent + " bytes"
            : "the client sent no byte for " + time + ", after " + moves.received + " bytes";
    end(http2, stream, why);
  }

  private void end(Http2ConnectionHandler http2, Http2Stream stream, String why) {
    refusals.count(Refusals.Reason.STALL);
    ActiveStreams.end(
        context, http2, stream, end, new FerryException(ErrorKind.DEADLINE_EXCEEDED, why));
  }

  /** Ends the watch because the connection is closed. */
  void end() {
    looking.cancel(false);
  }
}
