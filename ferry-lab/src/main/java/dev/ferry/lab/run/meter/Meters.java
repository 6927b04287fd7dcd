package dev.ferry.lab.run.meter;

import dev.ferry.lab.model.Sample.Usage;

/**
 * Measures heap, CPU, collections, direct memory and context switches of one operation, and what
 * else ran meanwhile. Used by one thread.
 *
 * <p>The overhead of the meters is small and equal for every row: the heap is read last at the
 * start and first at the end.
 */
public final class Meters implements AutoCloseable {
  private final HeapMeter heap = new HeapMeter();
  private final ThreadMeter threads = new ThreadMeter();
  private final MachineMeter machine = new MachineMeter();
  private final CollectorMeter collectors = new CollectorMeter();
  private final HeapPeakMeter heapPeak = new HeapPeakMeter();
  private final DirectMemoryMeter direct = new DirectMemoryMeter();

  private long young;
  private long old;
  private long heapBefore;

  /**
   * The figures of an operation. Those of threads and machine are -1 if the system does not report
   * them.
   *
   * @param usage the resource use of this process, without the compiler
   * @param compilerNanos the CPU time of the compiler of this process in nanoseconds
   * @param delayNanos the time in nanoseconds that threads of this process waited for a processor
   * @param involuntary how often another thread took the processor from one of this process
   * @param busyNanos the time that the processors of the machine were busy in nanoseconds
   * @param stealNanos the time that the hypervisor took from them in nanoseconds
   */
  public record Figures(
      Usage usage,
      long compilerNanos,
      long delayNanos,
      long involuntary,
      long busyNanos,
      long stealNanos) {}

  public void start() {
    young = collectors.young();
    old = collectors.old();
    heapPeak.start();
    direct.start();
    threads.start();
    // Between the readings of the threads, so that reading these is not another process's work.
    machine.start();
    heapBefore = heap.read();
  }

  public Figures stop() {
    long allocated = heap.read() - heapBefore;
    MachineMeter.Figures all = machine.stop();
    ThreadMeter.Figures own = threads.stop();
    long directPeak = direct.stop();
    long peak = heapPeak.stop();
    Usage usage =
        new Usage(
            Math.max(0, allocated),
            Math.max(0, own.cpuNanos()),
            collectors.young() - young,
            collectors.old() - old,
            peak,
            directPeak,
            own.voluntary());
    return new Figures(
        usage,
        own.compilerNanos(),
        own.delayNanos(),
        own.involuntary(),
        all.busyNanos(),
        all.stealNanos());
  }

  @Override
  public void close() {
    direct.close();
  }
}
