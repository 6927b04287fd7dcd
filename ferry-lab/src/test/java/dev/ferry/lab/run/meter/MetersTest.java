package dev.ferry.lab.run.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class MetersTest {
  private static final int MIB = 1 << 20;

  @Test
  void heap_anAllocation_isCounted() {
    HeapMeter heap = new HeapMeter();
    long before = heap.read();
    byte[] bytes = new byte[8 * MIB];

    assertThat(heap.read() - before).isBetween((long) bytes.length, 2L * bytes.length);
  }

  @Test
  void heap_anAllocationOfAnEndedThread_isCounted() throws InterruptedException {
    HeapMeter heap = new HeapMeter();
    long before = heap.read();
    byte[][] kept = new byte[1][];
    Thread thread = new Thread(() -> kept[0] = new byte[8 * MIB]);
    thread.start();
    thread.join();

    assertThat(heap.read() - before).isGreaterThanOrEqualTo(8L * MIB);
  }

  @Test
  void heapPeak_whatIsInUse_isCounted() {
    HeapPeakMeter peak = new HeapPeakMeter();
    peak.start();
    byte[] bytes = new byte[8 * MIB];

    assertThat(peak.stop()).isGreaterThanOrEqualTo(bytes.length);
  }

  @Test
  void direct_aBufferOfTheJdk_isCountedOnce() {
    try (DirectMemoryMeter direct = new DirectMemoryMeter()) {
      long before = direct.used();
      ByteBuffer buffer = ByteBuffer.allocateDirect(8 * MIB);

      assertThat(direct.used() - before).isBetween((long) buffer.capacity(), 9L * MIB);
    }
  }

  @Test
  void direct_aBufferOfNetty_isCountedOnceAndThePeakRemembersIt() {
    try (DirectMemoryMeter direct = new DirectMemoryMeter()) {
      ByteBuf buffer = Unpooled.directBuffer(8 * MIB, 8 * MIB);
      long with = direct.used();
      direct.start();
      buffer.release();

      assertThat(with - direct.used()).isBetween(8L * MIB, 9L * MIB);
      assertThat(direct.stop()).isGreaterThanOrEqualTo(with);
    }
  }

  @Test
  void cpu_work_isCounted() {
    CpuMeter cpu = new CpuMeter();
    ThreadCpuTimes.Reading before = cpu.readBefore(new ThreadList());
    long end = System.nanoTime() + 50_000_000;
    long sum = 0;
    while (System.nanoTime() < end) {
      sum += System.identityHashCode(end);
    }

    assertThat(sum).isNotZero();
    assertThat(cpu.readAfter(new ThreadList()).since(before)).isPositive();
  }
}
