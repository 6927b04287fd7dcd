package dev.ferry.grpc.internal;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of the messages of one call as they have arrived at a server, compressed or not. Its
 * transport counts them, so that an upload can be compared with what it decompresses to; without a
 * transport that does, nobody knows. Thread-safe.
 */
public final class ArrivedBytes {
  private static final Context.Key<ArrivedBytes> KEY = Context.key("ferry-arrived-bytes");

  private final AtomicLong count = new AtomicLong();

  /** So many more have arrived; before the message they belong to is handed on. */
  public void add(long bytes) {
    count.addAndGet(bytes);
  }

  /** How many have arrived. */
  public long count() {
    return count.get();
  }

  /** The context to start the call in. */
  public Context in(Context context) {
    return context.withValue(KEY, this);
  }

  /** Those of the call that is being started on this thread; never any where nobody counts them. */
  static ArrivedBytes ofThisCall() {
    @Nullable ArrivedBytes counted = KEY.get();
    return counted == null ? new ArrivedBytes() : counted;
  }

  /** Counts them for a server of grpc-java. */
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
