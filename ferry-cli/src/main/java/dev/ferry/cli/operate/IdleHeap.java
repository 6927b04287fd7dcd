package dev.ferry.cli.operate;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Returns the heap of an idle server to the system. The serial collector shrinks the heap only when
 * it collects all of it, and a server without requests collects nothing. Confined to one thread.
 */
public final class IdleHeap {
  /** Bytes of a heap that is not worth a collection. */
  static final long SMALL = 48 << 20;

  /** Bytes that an idle server allocates at most between two looks. */
  static final long IDLE = 1 << 20;

  private static final long LOOK_SECONDS = 20;

  private final LongSupplier used;
  private final LongSupplier size;
  private final Runnable collect;
  private long lastUsed;
  private long leftAlone = SMALL;

  IdleHeap(LongSupplier used, LongSupplier size, Runnable collect) {
    this.used = used;
    this.size = size;
    this.collect = collect;
  }

  /** Has a thread look after the heap of this JVM until it ends. */
  public static void watch(ScheduledExecutorService thread) {
    Runtime jvm = Runtime.getRuntime();
    IdleHeap heap =
        new IdleHeap(() -> jvm.totalMemory() - jvm.freeMemory(), jvm::totalMemory, System::gc);
    var unused =
        thread.scheduleWithFixedDelay(heap::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Collects if hardly anything was allocated since the last look, and a collection is worth it.
   */
  void look() {
    long now = used.getAsLong();
    if (Math.abs(now - lastUsed) < IDLE && size.getAsLong() > leftAlone) {
      collect.run();
      // What is in use stays, so another collection would change nothing.
      leftAlone = Math.max(SMALL, size.getAsLong() + IDLE);
      now = used.getAsLong();
    }
    lastUsed = now;
  }
}
