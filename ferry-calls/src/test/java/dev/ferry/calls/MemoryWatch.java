package dev.ferry.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.contract.Limits;
import dev.ferry.core.FerryException;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Takes rows of a stream of all there are, which fit into no memory, and stops it twice to see what
 * of them is there, at both ends: after many rows it is to be no more than after few.
 */
public final class MemoryWatch implements CallClient.RowVisitor {
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final long few;
  private final long many;
  private long rows;
  private long afterFew;
  private long afterMany;

  /** A call that streams rows. */
  @FunctionalInterface
  public interface Stream {
    /** Makes the call. */
    void run(long count, CallClient.RowVisitor visitor) throws FerryException;
  }

  private MemoryWatch(long few, long many) {
    this.few = few;
    this.many = many;
  }

  /**
   * Fails where what is in memory grows with the rows that were taken.
   *
   * @param few rows after which it is looked at
   * @param many rows after which it is looked at again
   * @param windows bytes by which the two may differ: windows may be full once and empty once
   */
  public static void assertFlat(Stream stream, long few, long many, long windows) {
    MemoryWatch watch = new MemoryWatch(few, many);
    assertThatThrownBy(() -> stream.run(Limits.MAX_ROWS, watch))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("seen enough");
    assertThat(watch.afterMany - watch.afterFew).isLessThan(windows);
  }

  @Override
  public void row(long number, String name) {
    rows++;
    if (rows == few) {
      afterFew = inMemory();
    } else if (rows == many) {
      afterMany = inMemory();
      throw new IllegalStateException("seen enough");
    }
  }

  private static long inMemory() {
    // Whoever is ahead gets as far as it can while nobody reads.
    LockSupport.parkNanos(PAUSE.toNanos());
    System.gc();
    long bytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      bytes += pool.getMemoryUsed();
    }
    // What Netty takes past the JDK's own count.
    return bytes + Math.max(0, PlatformDependent.usedDirectMemory());
  }
}
