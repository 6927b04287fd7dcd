package dev.ferry.lab.run.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(300)
final class MetersTest {
  private static final int MIB = 1 << 20;

  /** Many times the resolution of what Linux knows of the machine. */
  private static final long OTHERS_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

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

      // Buffers of other tests may be freed meanwhile.
      assertThat(direct.used() - before).isBetween(7L * MIB, 9L * MIB);
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
  void machine_idleAndStolenTime_areReadFromTheirFields() {
    String stat =
        """
        cpu  1 20 300 4000 50000 600000 7000000 80000000 900000000 10
        cpu0 1 10 100 2000 25000 300000 3500000 40000000 450000000 5
        cpu1 0 10 200 2000 25000 300000 3500000 40000000 450000000 5
        intr 5
        """;

    assertThat(MachineMeter.parse(stat, 7))
        .isEqualTo(new MachineMeter.Reading(7, 2, 54_000 * 10_000_000L, 800_000_000_000_000L));
  }

  @Test
  void machine_unknownAtTheStart_hasNoFigures() {
    MachineMeter.Reading known = new MachineMeter.Reading(7, 2, 5, 5);

    assertThat(MachineMeter.between(MachineMeter.Reading.UNKNOWN, known))
        .isEqualTo(MachineMeter.Figures.UNKNOWN);
    assertThat(MachineMeter.between(known, known)).isEqualTo(new MachineMeter.Figures(0, 0));
  }

  @Test
  void threads_ofAnotherProcessThatHasEnded_areUnknown() throws Exception {
    Process other = new ProcessBuilder("true").start();
    other.waitFor();

    assertThat(ThreadMeter.cpuNanos(other.pid())).isEmpty();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void loopback_whatIsSent_isCounted() throws IOException {
    LoopbackMeter loopback = new LoopbackMeter();
    loopback.start();
    byte[] chunk = new byte[MIB / 16];
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket out = new Socket(listener.getInetAddress(), listener.getLocalPort());
        Socket in = listener.accept()) {
      for (int i = 0; i < MIB; i += chunk.length) {
        out.getOutputStream().write(chunk);
        assertThat(in.getInputStream().readNBytes(chunk.length)).hasSize(chunk.length);
      }
    }

    // Other programs of the machine may have sent something as well.
    assertThat(loopback.stop()).isGreaterThan(MIB);
  }

  @Test
  void threads_work_isCounted() {
    ThreadMeter threads = new ThreadMeter();
    threads.start();
    work();

    assertThat(threads.stop().cpuNanos()).isPositive();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void threads_compilation_isNotTheRows() throws Exception {
    ThreadMeter threads = new ThreadMeter();
    threads.start();
    compile();
    ThreadMeter.Figures figures = threads.stop();

    assertThat(ThreadMeter.compilerNanos()).isPositive();
    assertThat(figures.compilerNanos()).isPositive();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void meters_whileAnotherProcessWorks_seesItsCpu() throws Exception {
    Process other = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
    try (Meters meters = new Meters()) {
      meters.start();
      while (ThreadMeter.cpuNanos(other.pid()).orElseThrow() < OTHERS_NANOS) {
        Thread.sleep(10);
      }
      Meters.Figures figures = meters.stop();

      assertThat(figures.busyNanos() - figures.usage().cpuNanos()).isPositive();
      assertThat(figures.stealNanos()).isNotNegative();
    } finally {
      other.destroyForcibly();
    }
  }

  private static void work() {
    long end = System.nanoTime() + 50_000_000;
    long sum = 0;
    while (System.nanoTime() < end) {
      sum += System.identityHashCode(end);
    }
    assertThat(sum).isNotZero();
  }

  /** Runs new code until its loops are compiled. */
  private static void compile() {
    long compiled = ThreadMeter.compilerNanos();
    for (int i = 0; i < 1_000 && ThreadMeter.compilerNanos() - compiled < 1_000_000; i++) {
      int seed = i;
      assertThat(IntStream.range(0, 20_000).mapToObj(n -> "" + (n ^ seed)).distinct()).isNotEmpty();
    }
  }
}
