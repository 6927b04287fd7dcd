package dev.ferry.lab.run.meter;

import com.sun.management.ThreadMXBean;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of heap that all threads have allocated since the process began, those of threads that have
 * ended included.
 */
public final class HeapMeter {
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final @Nullable MethodHandle total = total();

  /**
   * JDK 17 has the method since an update, and 21 in its API.
   *
   * @see <a href="https://bugs.openjdk.org/browse/JDK-8304074">JDK-8304074</a>
   */
  private static @Nullable MethodHandle total() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(
              ThreadMXBean.class,
              "getTotalThreadAllocatedBytes",
              MethodType.methodType(long.class));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    }
  }

  /** The sum so far; without the JDK's own, the sum over the threads that live. */
  public long read() {
    if (total != null) {
      try {
        return (long) total.invokeExact(threads);
      } catch (Throwable e) {
        throw new IllegalStateException("the JVM does not count its allocations", e);
      }
    }
    long sum = 0;
    for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
      sum += Math.max(0, bytes);
    }
    return sum;
  }
}
