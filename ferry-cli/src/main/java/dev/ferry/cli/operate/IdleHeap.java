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

  /** Looks in a row that show an idle server. The heap of a busy one may look so by chance. */
  static final int LOOKS = 3;

  /** Looks between two collections. What is in use may become less, or it may not. */
  static final int REST = 15;

  private static final long LOOK_SECONDS = 15;

  private final LongSupplier used;
  private final LongSupplier size;
  private final Runnable collect;
  private long lastUsed;
  private int idleLooks;
  private int rest;

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

  /** Collects if hardly anything was allocated for some looks, and a collection is worth it. */
  void look() {
    long now = used.getAsLong();
    idleLooks = Math.abs(now - lastUsed) < IDLE ? idleLooks + 1 : 0;
    rest--;
    if (idleLooks >= LOOKS && rest <= 0 && size.getAsLong() > SMALL) {
      collect.run();
      rest = REST;
      now = used.getAsLong();
    }
    lastUsed = now;
  }
}
