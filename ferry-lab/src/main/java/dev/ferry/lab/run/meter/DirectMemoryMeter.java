package dev.ferry.lab.run.meter;

import dev.ferry.lab.model.Daemon;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures the peak direct memory use with a thread that polls every two milliseconds.
 *
 * <p>It includes memory allocated by the JDK and by Netty outside the JDK's account. A peak shorter
 * than two milliseconds may be missed. Used by one thread.
 */
public final class DirectMemoryMeter implements AutoCloseable {
  private static final long PERIOD_NANOS = 2_000_000;

  private final BufferPoolMXBean pool =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(p -> p.getName().equals("direct"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("this JVM has no pool named direct"));
  private final Thread sampler;
  private volatile boolean watching;
  private volatile boolean closed;
  private final AtomicLong peak = new AtomicLong();

  public DirectMemoryMeter() {
    sampler = Daemon.start("ferry-direct-memory", this::watch);
  }

  /** Returns the number of bytes in use. */
  public long used() {
    long jdk = pool.getMemoryUsed();
    // Netty counts all memory that it allocates. The JDK counts it too unless Netty bypasses the
    // JDK.
    return PlatformDependent.useDirectBufferNoCleaner()
        ? jdk + PlatformDependent.usedDirectMemory()
        : jdk;
  }

  /** Starts a new measurement. */
  public void start() {
    peak.set(used());
    watching = true;
    LockSupport.unpark(sampler);
  }

  /**
   * Returns the highest number of bytes since the start, including the values at the start and now.
   */
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
