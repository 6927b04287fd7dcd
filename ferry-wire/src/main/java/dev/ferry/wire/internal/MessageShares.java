package dev.ferry.wire.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.wire.internal.contract.Limits;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.IntPredicate;

/**
 * The memory of the gRPC messages of a port that have begun to arrive and are not complete. The
 * server keeps their bytes, and a client need not send the last one. A network of clients gets its
 * {@linkplain CallerShares share}: who the user is is known later than the first bytes.
 * Thread-safe.
 */
final class MessageShares {
  /**
   * Messages of which so many bytes have arrived, or fewer, are not counted. A connection has at
   * most one for each of its calls.
   */
  static final int SMALL = 16 * 1024;

  /** Bytes that are taken at a time, so that not each frame asks. */
  private static final int STEP = 64 * 1024;

  private static final int PREFIX = 5;
  private static final int LENGTH_AT = 1;
  private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

  private final CallerShares memory;

  /**
   * @param bytes what all messages may have together
   */
  MessageShares(long bytes) {
    this.memory = new CallerShares(bytes);
  }

  /** Returns why a call is ended. */
  static FerryException tooMuch() {
    return new FerryException(
            ErrorKind.OVERLOADED,
            "too many incomplete messages of this address at a time; try again")
        .withRetryAfter(TRY_AGAIN);
  }

  /** Returns what was taken and not given back. */
  long taken() {
    return memory.all() - memory.left();
  }

  /** Returns the messages of a new connection. */
  Connection connect(InetAddress client) {
    return new Connection(memory, CallerShares.of(client));
  }

  /** The message of a call that arrives. */
  private static final class Message {
    private int prefix;
    private long length;
    private long left;
    private long taken;
  }

  /** The messages of one connection. Not thread-safe. */
  static final class Connection {
    /** The padding of a frame whose first byte has not arrived. */
    private static final int UNKNOWN = -1;

    private final CallerShares memory;
    private final String holder;
    private final IntObjectMap<Message> calls = new IntObjectHashMap<>();
    private int frameLeft;
    private int padding;

    private Connection(CallerShares memory, String holder) {
      this.memory = memory;
      this.holder = holder;
    }

    /** A DATA frame begins. */
    void frame(int flags, int length) {
      frameLeft = length;
      padding = (flags & Http2Flags.PADDED) == 0 ? 0 : UNKNOWN;
    }

    /**
     * Counts bytes of the DATA frame that has begun last.
     *
     * @param call the stream of the frame
     * @param isClosed whether a stream has been open and is not now; what arrives for it is
     *     discarded
     * @return whether they are within the share
     */
    boolean payload(int call, ByteBuf bytes, int at, int count, IntPredicate isClosed) {
      int from = at;
      if (padding == UNKNOWN) {
        padding = bytes.getUnsignedByte(from++);
        frameLeft--;
      }
      int end = at + count;
      int data = Math.min(end - from, frameLeft - padding);
      frameLeft -= end - from;
      if (data <= 0) {
        return true;
      }
      Message message = calls.get(call);
      if (message == null) {
        if (isClosed.test(call)) {
          return true;
        }
        message = new Message();
        calls.put(call, message);
      }
      return received(message, bytes, from, data, isClosed);
    }

    private boolean received(
        Message message, ByteBuf bytes, int from, int count, IntPredicate isClosed) {
      int at = from;
      int end = from + count;
      while (at < end) {
        if (message.prefix < PREFIX) {
          int value = bytes.getUnsignedByte(at++);
          // The first byte says whether the message is compressed; the length follows.
          message.length = message.prefix++ < LENGTH_AT ? 0 : message.length << Byte.SIZE | value;
          message.left = message.length;
        } else {
          long some = Math.min(message.left, end - at);
          at += (int) some;
          message.left -= some;
        }
        if (message.prefix == PREFIX && message.left == 0) {
          giveBack(message);
          message.prefix = 0;
        }
      }
      return message.prefix < PREFIX || isWithinShare(message, isClosed);
    }

    private boolean isWithinShare(Message message, IntPredicate isClosed) {
      long arrived = message.length - message.left;
      // The server refuses larger messages when it knows their length.
      if (arrived <= Math.max(message.taken, SMALL) || message.length > Limits.MAX_MESSAGE) {
        return true;
      }
      long more = Math.min(message.length, (arrived / STEP + 1) * STEP) - message.taken;
      if (!memory.take(holder, more)) {
        // Streams that were refused when they were opened.
        calls.keySet().stream().filter(isClosed::test).toList().forEach(this::closed);
        if (!memory.take(holder, more)) {
          return false;
        }
      }
      message.taken += more;
      return true;
    }

    private void giveBack(Message message) {
      if (message.taken > 0) {
        memory.giveBack(holder, message.taken);
        message.taken = 0;
      }
    }

    /** Gives back what a call has, whose stream is closed. */
    void closed(int call) {
      Message message = calls.remove(call);
      if (message != null) {
        giveBack(message);
      }
    }

    /** Gives back what all calls have. */
    void close() {
      calls.values().forEach(this::giveBack);
      calls.clear();
    }
  }
}
