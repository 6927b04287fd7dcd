package dev.ferry.lab.run.meter;

import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The most direct memory in use, watched by a thread that looks every two milliseconds.
 *
 * <p>Counts what the JDK hands out and what Netty takes past it; a peak shorter than two
 * milliseconds may be missed. Used by one thread.
 */
public final class DirectMemoryMeter implements AutoCloseable {
  private static final long PERIOD_NANOS = 2_000_000;

  private final BufferPoolMXBean pool =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(p -> p.getName().equals("direct"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("this JVM has no pool named direct"));
  private final Thread sampler = new Thread(this::watch, "ferry-direct-memory");
  private volatile boolean watching;
  private volatile boolean closed;
  private final AtomicLong peak = new AtomicLong();

  public DirectMemoryMeter() {
    sampler.setDaemon(true);
    sampler.start();
  }

  /** Bytes in use now. */
  public long used() {
    long jdk = pool.getMemoryUsed();
    // Netty counts all that it takes, but the JDK counts that too unless Netty goes past it.
    return PlatformDependent.useDirectBufferNoCleaner()
        ? jdk + PlatformDependent.usedDirectMemory()
        : jdk;
  }

  /** Begins a new peak. */
  public void start() {
    peak.set(used());
    watching = true;
    LockSupport.unpark(sampler);
  }

  /** The most bytes seen since the start, both ends included. */
  public long stop() {
    watching = false;
    return peak.accumulateAndGet(used(), Math::max);
  }

  private void watch() {
    while (!closed) {
      if (watching) {
        peak.accumulateAndGet(used(), Math::max);
        LockSupport.parkNanos(PERIOD_NANOS);
      } else {
        LockSupport.park(this);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(sampler);
  }
}
