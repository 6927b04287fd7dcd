package dev.ferry.http.internal.http1;

import dev.ferry.http.internal.Closing;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The idle connections of a client to its server. Thread-safe. */
final class ConnectionPool {
  /** As many as transfers may run at once. */
  private static final int MAX_IDLE = 64;

  /** Middleboxes forget connections that are idle for longer. */
  private static final long MAX_IDLE_NANOS = TimeUnit.MINUTES.toNanos(3);

  private final Deque<Connection> idle = new ArrayDeque<>();
  private boolean closed;

  /** Returns the connection that was used last and is open; null if there is none. */
  @Nullable Connection take() {
    for (Connection last; (last = last()) != null; ) {
      if (last.idle() < MAX_IDLE_NANOS && last.reuse()) {
        return last;
      }
      Closing.quietly(last);
    }
    return null;
  }

  private synchronized @Nullable Connection last() {
    return idle.pollLast();
  }

  void give(Connection connection) {
    Connection surplus = connection;
    synchronized (this) {
      if (!closed) {
        idle.addLast(connection);
        surplus = idle.size() > MAX_IDLE ? idle.pollFirst() : null;
      }
    }
    if (surplus != null) {
      Closing.quietly(surplus);
    }
  }

  /** Closes the idle connections. Others are closed when their request is over. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    for (Connection last; (last = last()) != null; ) {
      Closing.quietly(last);
    }
  }
}
