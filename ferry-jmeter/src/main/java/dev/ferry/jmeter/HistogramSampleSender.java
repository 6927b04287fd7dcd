package dev.ferry.jmeter;

import java.io.Serializable;
import org.apache.jmeter.samplers.AbstractSampleSender;
import org.apache.jmeter.samplers.RemoteSampleListener;
import org.apache.jmeter.samplers.SampleEvent;
import org.jspecify.annotations.Nullable;

/**
 * Sends histograms to the controller once a second, in place of samples. So a killed engine loses
 * its last second at most, and the rate of samples does not matter to the controller. JMeter uses
 * it with {@code -Dmode} or {@code -Jmode} set to its name, makes it on the controller, and sends
 * it to each engine. Thread-safe.
 */
public final class HistogramSampleSender extends AbstractSampleSender implements Serializable {
  private static final long serialVersionUID = 1L;

  private final RemoteSampleListener controller;

  /** Null on the controller. */
  private transient @Nullable EngineSeconds seconds;

  /** JMeter calls this on the controller. */
  public HistogramSampleSender(RemoteSampleListener controller) {
    this.controller = controller;
  }

  /** The engine calls this when it has received the sender. */
  private Object readResolve() {
    seconds = EngineSeconds.begin(controller);
    return this;
  }

  @Override
  public void sampleOccurred(SampleEvent event) {
    EngineSeconds running = seconds;
    if (running != null) {
      running.add(event.getResult());
    }
  }

  @Override
  public void testEnded(String host) {
    EngineSeconds running = seconds;
    if (running != null) {
      running.end(host);
    }
  }
}
