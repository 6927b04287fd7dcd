package dev.ferry.lab.run.meter;

import dev.ferry.lab.model.Usage;
import java.util.Map;

/**
 * Measures heap, CPU, collections, direct memory and context switches of one operation. Used by one
 * thread.
 *
 * <p>The overhead of the meters is small and equal for every row: the heap is read last at the
 * start and first at the end.
 */
public final class Meters implements AutoCloseable {
  private final HeapMeter heap = new HeapMeter();
  private final CpuMeter cpu = new CpuMeter();
  private final SwitchMeter switches = new SwitchMeter();
  private final CollectorMeter collectors = new CollectorMeter();
  private final HeapPeakMeter heapPeak = new HeapPeakMeter();
  private final DirectMemoryMeter direct = new DirectMemoryMeter();

  private long young;
  private long old;
  private ThreadCpuTimes.Reading cpuBefore = new ThreadCpuTimes.Reading(Map.of());
  private long heapBefore;

  public void start() {
    young = collectors.young();
    old = collectors.old();
    heapPeak.start();
    direct.start();
    ThreadList threads = new ThreadList();
    switches.start(threads);
    cpuBefore = cpu.readBefore(threads);
    heapBefore = heap.read();
  }

  public Usage stop() {
    long allocated = heap.read() - heapBefore;
    ThreadList threads = new ThreadList();
    ThreadCpuTimes.Reading cpuAfter = cpu.readAfter(threads);
    long switched = switches.stop(threads);
    long directPeak = direct.stop();
    long peak = heapPeak.stop();
    return new Usage(
        Math.max(0, allocated),
        Math.max(0, cpuAfter.since(cpuBefore)),
        collectors.young() - young,
        collectors.old() - old,
        peak,
        directPeak,
        switched);
  }

  @Override
  public void close() {
    direct.close();
  }
}
