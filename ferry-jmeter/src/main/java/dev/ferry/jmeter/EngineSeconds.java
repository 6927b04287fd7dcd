package dev.ferry.jmeter;

import dev.ferry.core.internal.DaemonThreads;
import dev.ferry.load.CpuMeter;
import dev.ferry.load.EngineWorker;
import java.rmi.RemoteException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.apache.jmeter.samplers.RemoteSampleListener;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleResult;
import org.apache.jmeter.threads.JMeterContextService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The seconds of an engine. A thread of its own sends each to the controller, so that no thread of
 * JMeter waits for that. What could not be sent is kept and sent with the next one. Thread-safe.
 */
final class EngineSeconds {
  private static final Logger LOG = LoggerFactory.getLogger(EngineSeconds.class);
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** A controller that did not take this many seconds in turn is gone. */
  private static final int MOST_UNSENT = 60;

  /** How long the last second may take. */
  private static final long END_SECONDS = 30;

  static final String ALIVE = "(no-samples)";

  private final RemoteSampleListener controller;
  private final SecondRecorder recorder = new SecondRecorder();
  private final CpuMeter cpu = new CpuMeter();
  private final AtomicReference<@Nullable Beginning> beginning = new AtomicReference<>();
  private final Deque<List<SampleEvent>> unsent = new ArrayDeque<>();
  private final ScheduledExecutorService ticks =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreads("ferry-jmeter-seconds"));
  private double lastSecond;

  /** When the first sample began. */
  private record Beginning(long nanos, Instant at) {}

  private EngineSeconds(RemoteSampleListener controller) {
    this.controller = controller;
  }

  /** Begins to send a second once a second, as soon as JMeter has started threads. */
  static EngineSeconds begin(RemoteSampleListener controller) {
    EngineSeconds seconds = new EngineSeconds(controller);
    var unused = seconds.ticks.scheduleAtFixedRate(seconds::tick, 1, 1, TimeUnit.SECONDS);
    return seconds;
  }

  void add(SampleResult sample) {
    if (beginning.get() == null) {
      long nanos = FerrySample.nanosOf(sample);
      Instant at = Instant.now().minusNanos(nanos);
      if (beginning.compareAndSet(null, new Beginning(System.nanoTime() - nanos, at))) {
        cpu.begin();
      }
    }
    recorder.add(sample);
  }

  /**
   * Sends what is left, again and again for {@link #END_SECONDS} at most, and tells the controller
   * that the engine has ended. If something is still left then, the controller is not told, so that
   * the engine is lost for it.
   */
  void end(String host) {
    if (ticks.isShutdown()) {
      return;
    }
    try {
      var unused = ticks.submit(() -> endNow(host)).get(END_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.error("The controller did not take the end of the test", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ticks.shutdownNow();
    }
  }

  private void endNow(String host) {
    tick();
    try {
      while (!unsent.isEmpty()) {
        TimeUnit.SECONDS.sleep(1);
        send();
      }
      controller.testEnded(host);
    } catch (RemoteException e) {
      LOG.error("The controller did not take the end of the test", e);
    } catch (InterruptedException e) {
      // end() waits no longer.
      Thread.currentThread().interrupt();
    }
  }

  private void tick() {
    if (beginning.get() == null && JMeterContextService.getNumberOfThreads() == 0) {
      // The listeners of the controller do not know yet that the test has started.
      return;
    }
    try {
      unsent.add(second());
    } catch (RuntimeException e) {
      // The next tick comes all the same.
      LOG.error("A second was not counted", e);
    }
    send();
  }

  private void send() {
    try {
      while (!unsent.isEmpty()) {
        sendFirst();
      }
    } catch (RemoteException e) {
      LOG.warn("{} seconds wait for the controller: {}", unsent.size(), e.toString());
      if (unsent.size() >= MOST_UNSENT) {
        LOG.error("The controller is gone; what this engine measures from now on is lost");
        ticks.shutdown();
      }
    }
  }

  private void sendFirst() throws RemoteException {
    try {
      controller.processBatch(unsent.element());
    } catch (RuntimeException e) {
      // The other seconds are sent all the same.
      LOG.error("A second was not sent", e);
    }
    unsent.remove();
  }

  private List<SampleEvent> second() {
    Beginning begun = beginning.get();
    double now = begun == null ? 0 : (System.nanoTime() - begun.nanos) / NANOS_PER_SECOND;
    HistogramSample.Second second =
        new HistogramSample.Second(
            begun == null ? null : begun.at,
            lastSecond,
            now,
            JMeterContextService.getNumberOfThreads(),
            cpu.cores(),
            cpu.share());
    lastSecond = now;
    List<EngineWorker.Sampled> taken = recorder.take();
    if (taken.isEmpty()) {
      taken = List.of(new EngineWorker.Sampled(ALIVE, new Histogram(1), 0, Map.of()));
    }
    List<SampleEvent> events = new ArrayList<>();
    for (int i = 0; i < taken.size(); i++) {
      boolean last = i == taken.size() - 1;
      events.add(new SampleEvent(new HistogramSample(second, taken.get(i), last), ""));
    }
    return events;
  }
}
