package dev.ferry.suites.calls.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

  /** Bytes that pools of buffers may take between two looks, slab by slab, and keep. */
  private static final long SLABS = 16 << 20;

  private static final InMemory NOTHING = new InMemory(0, 0);

  private final long few;
  private final long many;
  private long rows;
  private InMemory afterFew = NOTHING;
  private InMemory afterMany = NOTHING;

  /** Bytes of live objects, and bytes outside the heap, with what pools hold in reserve. */
  private record InMemory(long heap, long direct) {}

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
   * Fails where what is in memory grows with the rows that were taken. It is the heap that tells
   * where they are few and small: a row that is kept is an object, wherever its bytes are.
   *
   * @param few rows after which it is looked at
   * @param many rows after which it is looked at again
   * @param windows bytes by which the heap may differ: windows may be full once and empty once
   */
  public static void assertFlat(Stream stream, long few, long many, long windows) {
    MemoryWatch watch = new MemoryWatch(few, many);
    assertThatThrownBy(() -> stream.run(Backend.MAX_ROWS, watch))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("seen enough");
    assertThat(watch.afterMany.heap() - watch.afterFew.heap()).isLessThan(windows);
    assertThat(watch.afterMany.direct() - watch.afterFew.direct()).isLessThan(SLABS);
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

  private static InMemory inMemory() {
    // The sender gets as far ahead as it can while nobody reads.
    LockSupport.parkNanos(PAUSE.toNanos());
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    // What Netty takes past the JDK's own count, and that.
    long direct = Math.max(0, PlatformDependent.usedDirectMemory());
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      direct += pool.getMemoryUsed();
    }
    return new InMemory(heap, direct);
  }
}
