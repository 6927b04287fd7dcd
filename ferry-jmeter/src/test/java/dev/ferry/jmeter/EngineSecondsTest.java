package dev.ferry.jmeter;

import static org.assertj.core.api.Assertions.assertThat;

import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import org.apache.jmeter.samplers.RemoteSampleListener;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class EngineSecondsTest {
  private static final String END = "end";

  /** A controller that fails for a while. */
  private static final class Failing implements RemoteSampleListener {
    private final List<Exception> failures;
    private final List<String> taken = new ArrayList<>();

    Failing(Exception... failures) {
      this.failures = new ArrayList<>(List.of(failures));
    }

    @Override
    public synchronized void processBatch(List<SampleEvent> samples) throws RemoteException {
      Exception failure = failures.isEmpty() ? null : failures.remove(0);
      if (failure instanceof RemoteException e) {
        throw e;
      }
      if (failure instanceof RuntimeException e) {
        throw e;
      }
      samples.forEach(event -> taken.add(event.getResult().getSampleLabel()));
    }

    @Override
    public synchronized void testEnded(String host) {
      taken.add(END);
    }

    synchronized List<String> taken() {
      return List.copyOf(taken);
    }

    @Override
    public void testStarted() {}

    @Override
    public void testStarted(String host) {}

    @Override
    public void testEnded() {}

    @Override
    public void sampleOccurred(SampleEvent event) {}

    @Override
    public void sampleStarted(SampleEvent event) {}

    @Override
    public void sampleStopped(SampleEvent event) {}
  }

  private static List<String> run(Exception... failures) {
    Failing controller = new Failing(failures);
    EngineSeconds seconds = EngineSeconds.begin(controller);
    SampleResult sample = SampleResult.createTestSample(1);
    sample.setSampleLabel("get");
    sample.setSuccessful(true);
    seconds.add(sample);
    seconds.end("a:1");
    // Another second may have begun before its end.
    return controller.taken().stream().filter(label -> !label.equals(EngineSeconds.ALIVE)).toList();
  }

  @Test
  void end_whileTheControllerTakesNothing_isSentAgain() {
    assertThat(run(new RemoteException("gone"))).containsExactly("get", END);
  }

  @Test
  void end_ofASecondThatIsRefused_isSent() {
    assertThat(run(new IllegalStateException("bad"))).containsExactly(END);
  }
}
