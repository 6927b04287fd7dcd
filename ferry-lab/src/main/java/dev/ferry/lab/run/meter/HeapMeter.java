package dev.ferry.lab.run.meter;

import com.sun.management.ThreadMXBean;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * Measures the heap in bytes that all threads have allocated since the process started, including
 * terminated threads.
 */
public final class HeapMeter {
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final @Nullable MethodHandle total = total();

  /**
   * Looks up the JDK method. JDK 17 has it since an update; JDK 21 has it in its API.
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
      // The JDK is older than that update.
      return null;
    }
  }

  /** Returns the sum so far. If the JDK method is missing, it includes only live threads. */
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
