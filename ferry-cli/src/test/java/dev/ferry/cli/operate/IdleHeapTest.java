package dev.ferry.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class IdleHeapTest {
  private static final long MIB = 1 << 20;

  private long used;
  private long size;
  private long live;
  private int collections;
  private final IdleHeap heap = new IdleHeap(() -> used, () -> size, this::collect);

  private void collect() {
    collections++;
    used = live;
    size = 2 * live;
  }

  private void look(long nowUsed, long nowSize) {
    used = nowUsed;
    size = nowSize;
    heap.look();
  }

  @Test
  void look_busyServer_collectsNothing() {
    for (int i = 0; i < 10; i++) {
      look(100 * MIB + i * IdleHeap.IDLE, 200 * MIB);
    }
    assertThat(collections).isZero();
  }

  @Test
  void look_heapOfABusyServerThatIsTheSameByChance_collectsNothing() {
    for (int i = 0; i < 10; i++) {
      look(100 * MIB, 200 * MIB);
      look(100 * MIB, 200 * MIB);
      look(110 * MIB, 200 * MIB);
    }
    assertThat(collections).isZero();
  }

  @Test
  void look_idleServer_collectsOnceInSomeTime() {
    live = 40 * MIB;
    look(100 * MIB, 200 * MIB);
    for (int i = 0; i < IdleHeap.LOOKS + IdleHeap.REST - 1; i++) {
      look(used + 1000, size);
    }
    assertThat(collections).isEqualTo(1);

    // Nobody holds it any more.
    live = 10 * MIB;
    look(used, size);
    assertThat(collections).isEqualTo(2);
    for (int i = 0; i < 3 * IdleHeap.REST; i++) {
      look(used, size);
    }
    assertThat(collections).isEqualTo(2);
  }

  @Test
  void look_smallHeap_isLeftAlone() {
    for (int i = 0; i < 10; i++) {
      look(10 * MIB, IdleHeap.SMALL);
    }
    assertThat(collections).isZero();
  }
}
