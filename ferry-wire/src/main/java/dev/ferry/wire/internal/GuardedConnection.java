package dev.ferry.wire.internal;

import dev.ferry.core.FerryException;
import dev.ferry.wire.ConnectionCounter;
import dev.ferry.wire.ServerSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handler of one connection of a {@link ConnectionGuard}. Its state is confined to the event
 * loop.
 */
final class GuardedConnection extends ChannelDuplexHandler implements FrameScanner.Sink {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedConnection.class);

  private static final int GOAWAY_PAYLOAD = 8;

  /** Bytes of a buffer at most, for each byte that was read into it and is taken soon. */
  private static final int MOST_HELD = 16;

  /** The same while calls do not take what arrives. */
  private static final int MOST_HELD_WAITING = 2;

  /**
   * Requests after which other connections of the event loop get their turn. A read may have more
   * than a thousand, and each takes some ten microseconds.
   */
  private static final int REQUESTS_OF_A_TURN = 64;

  /** How long a client of another protocol may take to read why it is refused. */
  private static final int LINGER_SECONDS = 1;

  /** How often the bytes are counted that calls have not taken, while there are some. */
  private static final int COUNT_MILLIS = 50;

  /** Bytes of calls that arrive before those are counted that calls have not taken. */
  private static final int SMALL = 64 * 1024;

  /**
   * How long nothing may be read from a connection because of what its calls have not taken: 20 s,
   * or this part of the time in which a silent client is ended.
   */
  private static final int NOT_READ_PART = 3;

  private static final Duration LONGEST_NOT_READ = Duration.ofSeconds(20);

  /** A fatal alert of TLS, unexpected_message: the client sends no TLS. */
  private static final byte[] NOT_TLS = {0x15, 3, 1, 0, 2, 2, 10};

  private static final byte[] EMPTY_SETTINGS = {0, 0, 0, Http2FrameTypes.SETTINGS, 0, 0, 0, 0, 0};

  private final ServerSettings settings;
  private final Refusals refusals;
  private final @Nullable StreamEnd stallEnd;
  private final boolean http2Alone;
  private final @Nullable MessageShares shares;
  private final @Nullable UntakenBytes untakenShares;
  private final Set<ChannelHandlerContext> open;
  private final LongSupplier nanoTime;
  private final FirstBytes first = new FirstBytes();
  private final FrameScanner scanner = new FrameScanner(this);
  private @Nullable FirstBytes upgraded;
  private @Nullable FrameAllowance allowance;
  private @Nullable StreamStalls stalls;
  private MessageShares.@Nullable Connection messages;
  private @Nullable IntPredicate isClosed;
  private UntakenBytes.@Nullable Connection untaken;
  private boolean counts;

  /** Bytes of calls that have arrived since they were counted. */
  private int arrived;

  /** Whether calls have left more untaken than the share of this address. */
  private boolean beyondShare;

  /** The bytes that calls had not taken when they were counted last. */
  private long untakenNow;

  private int notReadMillis;

  /** Streams reset by frames that were looked at and that the server does not have yet. */
  private final Set<Integer> resets = new HashSet<>();

  private final Set<Integer> tooMuch = new HashSet<>();
  private @Nullable Future<?> handshake;
  private int lastStream;
  private int requests;

  /** What was read and is for the next turns, in which nothing more is read. */
  private final Queue<ByteBuf> held = new ArrayDeque<>();

  private boolean flooded;
  private boolean refused;

  /**
   * @param http2Alone whether the server speaks HTTP/2 alone
   * @param shares the memory of incomplete messages, if the server speaks gRPC
   * @param untakenShares the memory of what calls have not taken, if it is shared
   * @param open the connections of the port, to which this one is added while it is open
   */
  GuardedConnection(
      ServerSettings settings,
      Refusals refusals,
      @Nullable StreamEnd stallEnd,
      boolean http2Alone,
      @Nullable MessageShares shares,
      @Nullable UntakenBytes untakenShares,
      Set<ChannelHandlerContext> open,
      LongSupplier nanoTime) {
    this.settings = settings;
    this.refusals = refusals;
    this.stallEnd = stallEnd;
    this.http2Alone = http2Alone;
    this.shares = shares;
    this.untakenShares = untakenShares;
    this.open = open;
    this.nanoTime = nanoTime;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    InetAddress client = address(context);
    ConnectionCounter connections = settings.connections();
    if (!connections.tryOpen(client)) {
      refuse(context, Refusals.Reason.TOO_MANY_CONNECTIONS);
      return;
    }
    open.add(context);
    context
        .channel()
        .closeFuture()
        .addListener(
            f -> {
              open.remove(context);
              connections.closed(client);
            });
    handshake =
        context
            .executor()
            .schedule(
                () -> refuse(context, Refusals.Reason.NO_HANDSHAKE),
                settings.handshakeTimeout().toNanos(),
                TimeUnit.NANOSECONDS);
  }

  private static InetAddress address(ChannelHandlerContext context) {
    return context.channel().remoteAddress() instanceof InetSocketAddress address
        ? address.getAddress()
        : InetAddress.getLoopbackAddress();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
    } else if (held.isEmpty()) {
      pass(context, bytes);
    } else {
      held.add(bytes);
    }
  }

  /** Passes on bytes, as many as belong to this turn. */
  private void pass(ChannelHandlerContext context, ByteBuf bytes) {
    int from = bytes.readerIndex();
    int end = refused ? from : look(context, bytes);
    if (refused) {
      bytes.release();
      return;
    }
    if (end == bytes.writerIndex()) {
      context.fireChannelRead(
          compact(context, bytes, untakenNow > SMALL ? MOST_HELD_WAITING : MOST_HELD));
    } else {
      held.add(bytes);
      updateAutoRead(context);
      scheduleTurn(context);
      if (end > from) {
        context.fireChannelRead(bytes.readRetainedSlice(end - from));
      }
    }
    countUntaken(context);
  }

  private boolean reads() {
    return held.isEmpty() && !beyondShare;
  }

  private void updateAutoRead(ChannelHandlerContext context) {
    context.channel().config().setAutoRead(reads());
  }

  /** Stops to read while calls leave more untaken than the share of the address. */
  private void countUntaken(ChannelHandlerContext context) {
    if (untaken == null || (arrived < SMALL && untakenNow == 0)) {
      return;
    }
    Http2ConnectionHandler http2 = http2(context);
    if (http2 == null) {
      return;
    }
    arrived = 0;
    untakenNow = untakenBytes(context, http2);
    boolean beyond = !untaken.count(untakenNow);
    if (beyond != beyondShare) {
      beyondShare = beyond;
      notReadMillis = 0;
      if (stalls != null) {
        stalls.setReading(!beyond);
      }
      updateAutoRead(context);
    }
    if (untakenNow > 0 && !counts) {
      counts = true;
      var unused =
          context
              .executor()
              .schedule(() -> countAgain(context), COUNT_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void countAgain(ChannelHandlerContext context) {
    counts = false;
    if (context.isRemoved()) {
      return;
    }
    try {
      long before = untakenNow;
      countUntaken(context);
      // Calls that take something, however slowly, go on.
      notReadMillis = beyondShare && untakenNow >= before ? notReadMillis + COUNT_MILLIS : 0;
      if (notReadMillis >= longestNotRead().toMillis()) {
        notReadMillis = 0;
        endLargest(context);
      }
    } catch (RuntimeException | Error e) {
      // Nobody else would read from the connection again.
      exceptionCaught(context, e);
      context.close();
    }
  }

  private Duration longestNotRead() {
    Duration part = settings.stallTimeout().dividedBy(NOT_READ_PART);
    return part.isZero() || part.compareTo(LONGEST_NOT_READ) > 0 ? LONGEST_NOT_READ : part;
  }

  /** Not those of the connection, whose window grpc-java returns at once. */
  private static long untakenBytes(ChannelHandlerContext context, Http2ConnectionHandler http2) {
    return ActiveStreams.of(http2).stream()
        .mapToLong(stream -> untakenBytes(context, http2, stream))
        .sum();
  }

  /**
   * A call that has ended, and whose end was sent, discards what arrives, and returns no window.
   */
  private static int untakenBytes(
      ChannelHandlerContext context, Http2ConnectionHandler http2, Http2Stream stream) {
    ChannelOutboundBuffer unsent = context.channel().unsafe().outboundBuffer();
    boolean discards = !stream.state().localSideOpen() && (unsent == null || unsent.isEmpty());
    return discards || stream.isResetSent()
        ? 0
        : http2.decoder().flowController().unconsumedBytes(stream);
  }

  /**
   * Ends the call that has left most untaken. Others of the connection may be done soon, and pings
   * and resets are not read meanwhile.
   */
  private void endLargest(ChannelHandlerContext context) {
    Http2ConnectionHandler http2 = http2(context);
    if (http2 == null) {
      return;
    }
    ActiveStreams.of(http2).stream()
        .filter(stream -> untakenBytes(context, http2, stream) > 0)
        .max(Comparator.comparingInt(stream -> untakenBytes(context, http2, stream)))
        .ifPresent(stream -> end(context, stream.id(), UntakenBytes.tooMuch()));
  }

  /** Netty's decoders ask for more when what was read has made no message. */
  @Override
  public void read(ChannelHandlerContext context) {
    if (reads()) {
      context.read();
    }
  }

  /**
   * An event loop runs all tasks before it reads from other connections, those too which tasks add.
   * Scheduled ones that are due wait for the next time.
   */
  private void scheduleTurn(ChannelHandlerContext context) {
    var unused = context.executor().schedule(() -> nextTurn(context), 0, TimeUnit.NANOSECONDS);
  }

  /** Goes on with what is held, after the event loop has read from the other connections. */
  private void nextTurn(ChannelHandlerContext context) {
    if (context.isRemoved()) {
      return;
    }
    requests = 0;
    Queue<ByteBuf> waiting = new ArrayDeque<>(held);
    held.clear();
    try {
      while (!waiting.isEmpty()) {
        // For the turn after this one, if it has too many requests.
        channelRead(context, waiting.remove());
      }
      context.fireChannelReadComplete();
    } catch (RuntimeException | Error e) {
      // No direct memory, for instance.
      waiting.forEach(ByteBuf::release);
      exceptionCaught(context, e);
      context.close();
      return;
    }
    updateAutoRead(context);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    held.forEach(ByteBuf::release);
    held.clear();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    requests = 0;
    context.fireChannelReadComplete();
  }

  /**
   * Copies bytes that fill little of their buffer. A message that is incomplete or waits holds the
   * buffers that it was read into, so a client that sends byte by byte would hold a whole one for
   * each.
   *
   * @param most bytes of a buffer for each byte in it
   */
  private static ByteBuf compact(ChannelHandlerContext context, ByteBuf bytes, int most) {
    int count = bytes.readableBytes();
    if (count >= bytes.capacity() / most) {
      return bytes;
    }
    try {
      return context.alloc().ioBuffer(count).writeBytes(bytes);
    } finally {
      bytes.release();
    }
  }

  /** Looks at bytes. Returns the index of those that are for the next turn. */
  private int look(ChannelHandlerContext context, ByteBuf bytes) {
    switch (first.protocol()) {
      case HTTP2 -> {
        return frames(context, bytes, bytes.readerIndex());
      }
      case HTTP1 -> {
        return lookForUpgrade(context, bytes);
      }
      default -> {
        int at = first.scan(bytes);
        if (first.protocol() == FirstBytes.Protocol.HTTP1) {
          handshakeDone();
        } else if (first.protocol() == FirstBytes.Protocol.HTTP2) {
          return frames(context, bytes, at);
        }
        if (http2Alone && first.isHttp1()) {
          // The server has sent its SETTINGS, which show the client what it is.
          refuseLater(context);
        }
        return bytes.writerIndex();
      }
    }
  }

  /** After an upgrade to HTTP/2, the client sends the HTTP/2 preface first. */
  private int lookForUpgrade(ChannelHandlerContext context, ByteBuf bytes) {
    int at = bytes.readerIndex();
    if (upgraded == null) {
      if (http2(context) == null) {
        return bytes.writerIndex();
      }
      upgraded = new FirstBytes();
    }
    at = upgraded.protocol() == FirstBytes.Protocol.UNKNOWN ? upgraded.scan(bytes) : at;
    switch (upgraded.protocol()) {
      case HTTP2 -> {
        return frames(context, bytes, at);
      }
      case HTTP1_HEAD, HTTP1 -> refuse(context, Refusals.Reason.NO_HANDSHAKE);
      case UNKNOWN -> {}
    }
    return bytes.writerIndex();
  }

  private int frames(ChannelHandlerContext context, ByteBuf bytes, int from) {
    if (allowance == null) {
      allowance = new FrameAllowance(nanoTime, () -> window(context));
      if (stallEnd != null && !settings.stallTimeout().isZero()) {
        stalls = new StreamStalls(context, settings.stallTimeout(), stallEnd, refusals);
      }
    }
    if (isClosed == null) {
      // A server of several protocols adds its handler of HTTP/2 after it has seen the first bytes.
      watchStreams(context);
    }
    resets.clear();
    int end = scanner.scan(bytes, from);
    for (int call : tooMuch) {
      // The server has the frames that have been read when this is run.
      context.executor().execute(() -> end(context, call, MessageShares.tooMuch()));
    }
    tooMuch.clear();
    if (flooded) {
      flood(context);
    }
    return end;
  }

  @Override
  public boolean stops() {
    return requests >= REQUESTS_OF_A_TURN;
  }

  private void watchStreams(ChannelHandlerContext context) {
    Http2ConnectionHandler http2 = http2(context);
    if (http2 == null) {
      return;
    }
    Http2Connection connection = http2.connection();
    isClosed = call -> connection.streamMayHaveExisted(call) && connection.stream(call) == null;
    if (shares == null) {
      return;
    }
    if (untakenShares != null) {
      untaken = untakenShares.connect(address(context));
    }
    MessageShares.Connection counted = shares.connect(address(context));
    messages = counted;
    connection.addListener(
        new Http2ConnectionAdapter() {
          @Override
          public void onStreamClosed(Http2Stream stream) {
            counted.closed(stream.id());
          }
        });
  }

  private void end(ChannelHandlerContext context, int call, FerryException why) {
    Http2ConnectionHandler http2 = http2(context);
    Http2Stream stream = http2 == null ? null : http2.connection().stream(call);
    if (http2 != null && stream != null && stallEnd != null) {
      refusals.count(Refusals.Reason.TOO_MANY_REQUESTS);
      ActiveStreams.end(context, http2, stream, stallEnd, why);
    }
  }

  private static @Nullable Http2ConnectionHandler http2(ChannelHandlerContext context) {
    return context.pipeline().get(Http2ConnectionHandler.class);
  }

  private static int window(ChannelHandlerContext context) {
    Http2ConnectionHandler http2 = http2(context);
    return http2 == null
        ? Integer.MAX_VALUE
        : http2.encoder().flowController().windowSize(http2.connection().connectionStream());
  }

  @Override
  public void frame(int type, int flags, int length, int stream) {
    if (type == Http2FrameTypes.HEADERS) {
      lastStream = Math.max(lastStream, stream);
      requests++;
    }
    if (type == Http2FrameTypes.HEADERS
        || (type == Http2FrameTypes.SETTINGS && (flags & Http2Flags.ACK) != 0)) {
      handshakeDone();
    }
    if (allowance != null) {
      flooded |= !allowance.take(type, flags, length);
      if (type == Http2FrameTypes.RST_STREAM && !hasEnded(stream) && resets.add(stream)) {
        flooded |= !allowance.takeReset();
      }
    }
    if (messages != null && type == Http2FrameTypes.DATA) {
      messages.frame(flags, length);
    }
  }

  private boolean hasEnded(int stream) {
    return isClosed != null && isClosed.test(stream);
  }

  @Override
  public void payload(int type, int stream, ByteBuf bytes, int at, int count) {
    if (type != Http2FrameTypes.DATA) {
      return;
    }
    arrived += count;
    if (stalls != null) {
      stalls.received(stream, count);
    }
    if (messages != null && !messages.payload(stream, bytes, at, count, this::hasEnded)) {
      tooMuch.add(stream);
    }
  }

  @Override
  public void windowUpdate(int stream, int bytes) {
    if (stream == 0 && allowance != null) {
      allowance.windowOpened(bytes);
    } else if (stalls != null) {
      stalls.windowOpened(stream, bytes);
    }
  }

  private void handshakeDone() {
    if (handshake != null) {
      handshake.cancel(false);
      handshake = null;
    }
  }

  /** Servers would log these failures, each with its stack trace. */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshakeEnd) {
      if (!handshakeEnd.isSuccess()) {
        failed(context, handshakeEnd.cause());
        return;
      }
      SslHandler tls = context.pipeline().get(SslHandler.class);
      if (http2Alone && tls != null && !TlsContexts.H2.equals(tls.applicationProtocol())) {
        context.writeAndFlush(Unpooled.wrappedBuffer(EMPTY_SETTINGS));
        refuseLater(context);
        return;
      }
    }
    context.fireUserEventTriggered(event);
  }

  private void failed(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof NotSslRecordException) {
      // Before the TLS handler, which closes the connection then.
      context.pipeline().firstContext().writeAndFlush(Unpooled.wrappedBuffer(NOT_TLS));
    }
    boolean ended = refused || !context.channel().isActive();
    refused = true;
    if (!ended) {
      refuse(context, Refusals.Reason.NO_HANDSHAKE);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (refused) {
      context.close();
    } else {
      context.fireExceptionCaught(cause);
    }
  }

  /** Closes the connection when the client has had time to read what was sent to it. */
  private void refuseLater(ChannelHandlerContext context) {
    count(context, Refusals.Reason.NO_HANDSHAKE);
    handshakeDone();
    handshake =
        context.executor().schedule(() -> context.close(), LINGER_SECONDS, TimeUnit.SECONDS);
  }

  private void refuse(ChannelHandlerContext context, Refusals.Reason reason) {
    count(context, reason);
    context.close();
  }

  private void count(ChannelHandlerContext context, Refusals.Reason reason) {
    refused = true;
    refusals.count(reason);
    LOG.debug("connection of {} closed: {}", context.channel().remoteAddress(), reason);
  }

  /**
   * Writes GOAWAY directly instead of through the server's HTTP/2 handler, which would log an
   * error. Earlier writes of the server are complete frames.
   */
  private void flood(ChannelHandlerContext context) {
    count(context, Refusals.Reason.FLOOD);
    ByteBuf goAway = Unpooled.buffer();
    goAway.writeMedium(GOAWAY_PAYLOAD).writeByte(Http2FrameTypes.GO_AWAY).writeByte(0).writeInt(0);
    goAway.writeInt(lastStream).writeInt((int) Http2Error.ENHANCE_YOUR_CALM.code());
    context.writeAndFlush(goAway);
    context.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    handshakeDone();
    if (stalls != null) {
      stalls.end();
    }
    if (messages != null) {
      messages.close();
    }
    if (untaken != null) {
      boolean unused = untaken.count(0);
      untaken = null;
    }
    context.fireChannelInactive();
  }
}
