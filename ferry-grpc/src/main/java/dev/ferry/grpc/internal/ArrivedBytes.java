package dev.ferry.grpc.internal;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the message bytes of one call as they arrive at a server, before decompression. A server
 * compares an upload with what it decompresses to. The transport maintains the count. If it does
 * not count, the count stays at 0. Thread-safe.
 */
public final class ArrivedBytes {
  private static final Context.Key<ArrivedBytes> KEY = Context.key("ferry-arrived-bytes");

  private final AtomicLong count = new AtomicLong();

  /** Adds received bytes. The transport calls this before it passes the message on. */
  public void add(long bytes) {
    count.addAndGet(bytes);
  }

  /** Returns the number of bytes received so far. */
  public long count() {
    return count.get();
  }

  /** Returns the context in which to start the call. */
  public Context in(Context context) {
    return context.withValue(KEY, this);
  }

  /**
   * Returns the counter of the call that is being started on this thread. If the transport does not
   * count, returns a counter that stays at 0.
   */
  static ArrivedBytes ofThisCall() {
    @Nullable ArrivedBytes counted = KEY.get();
    return counted == null ? new ArrivedBytes() : counted;
  }

  /** Returns a tracer factory that counts the bytes for a grpc-java server. */
  static ServerStreamTracer.Factory tracers() {
    return new ServerStreamTracer.Factory() {
      @Override
      public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new Tracer();
      }
    };
  }

  private static final class Tracer extends ServerStreamTracer {
    private final ArrivedBytes arrived = new ArrivedBytes();

    @Override
    public Context filterContext(Context context) {
      return arrived.in(context);
    }

    @Override
    public void inboundWireSize(long bytes) {
      arrived.add(bytes);
    }
  }
}
