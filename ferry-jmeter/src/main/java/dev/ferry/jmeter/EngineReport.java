package dev.ferry.jmeter;

import dev.ferry.core.internal.DaemonThreads;
import dev.ferry.load.WorkerFolder;
import dev.ferry.load.Workload;
import java.nio.file.Path;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.jmeter.engine.ClientJMeterEngine;
import org.apache.jmeter.engine.util.CompoundVariable;
import org.apache.jmeter.engine.util.NoThreadClone;
import org.apache.jmeter.gui.GuiPackage;
import org.apache.jmeter.samplers.Remoteable;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleListener;
import org.apache.jmeter.samplers.SampleResult;
import org.apache.jmeter.testbeans.TestBean;
import org.apache.jmeter.testelement.AbstractTestElement;
import org.apache.jmeter.testelement.TestStateListener;
import org.apache.jmeter.util.JMeterUtils;
import org.apache.jmeter.visualizers.Visualizer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what the remote engines of a run measure to a folder that {@code ferry load merge} reads,
 * and names engines that became silent. JMeter itself waits for such an engine without end; without
 * its window, this ends the controller with code 1 when all others have ended. The engines need the
 * mode {@link HistogramSampleSender}.
 */
public final class EngineReport extends AbstractTestElement
    implements TestBean, SampleListener, TestStateListener, Remoteable, NoThreadClone, Visualizer {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(EngineReport.class);

  /** JMeter's property for the seconds after which an engine that sends nothing is silent. */
  private static final String SILENCE = "ferry.silence";

  private static final int SILENCE_SECONDS = 10;

  /** How often an engine is asked to stop, once a second. */
  private static final int STOPS = 10;

  private static final String FOLDER = "folder";
  private static final String ENGINES = "engines";
  private static final String SECONDS = "seconds";

  /** Shared by the copies that JMeter makes, one for each engine. */
  private transient Shared shared = new Shared();

  /** The engine of this copy. */
  private transient @Nullable String host;

  private transient boolean wrongMode;
  private transient volatile boolean ended;

  /** What all copies of a listener share. */
  private static final class Shared {
    @Nullable EngineRun run;
  }

  /** Returns a copy that writes to the same folder. */
  @Override
  public Object clone() {
    EngineReport copy = (EngineReport) super.clone();
    copy.shared = shared;
    return copy;
  }

  @Override
  public void testStarted(String host) {
    this.host = host;
    ended = false;
    try {
      synchronized (shared) {
        EngineRun run = shared.run;
        if (run == null) {
          run = begin();
          shared.run = run;
        }
        run.started(host);
      }
    } catch (IllegalArgumentException e) {
      refuse(host, String.valueOf(e.getMessage()));
    }
  }

  /** Stops an engine whose samples would be lost. It must not be asked on its own call. */
  private void refuse(String refused, String reason) {
    say(getName() + ": " + reason + "; " + refused + " is stopped");
    Thread unused =
        DaemonThreads.start(
            "ferry-jmeter-stop",
            () -> {
              try {
                // JMeter forgets a stop that comes while it starts a thread group.
                for (int i = 0; i < STOPS && !ended; i++) {
                  new ClientJMeterEngine(refused).stopTest(true);
                  TimeUnit.SECONDS.sleep(1);
                }
              } catch (NotBoundException | RemoteException e) {
                say(refused + ": was not stopped: " + e);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private EngineRun begin() {
    Path folder = Path.of(text(FOLDER));
    List<String> hosts = Stream.of(text(ENGINES).split(",", -1)).map(String::strip).toList();
    Workload.OfEngine load = new Workload.OfEngine("jmeter", seconds(), hosts);
    for (int worker = 1; worker <= load.workers(); worker++) {
      if (WorkerFolder.isUsed(WorkerFolder.ofWorker(folder, worker))) {
        throw new IllegalArgumentException(
            folder + ": has the results of another run; name another folder");
      }
    }
    long silence = JMeterUtils.getPropDefault(SILENCE, SILENCE_SECONDS);
    EngineRun run =
        new EngineRun(
            folder, load, TimeUnit.SECONDS.toNanos(silence), System::nanoTime, EngineReport::say);
    watch(run);
    return run;
  }

  private double seconds() {
    String text = text(SECONDS);
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(SECONDS + ": '" + text + "' is no number", e);
    }
  }

  /** The value of a field. JMeter evaluates the functions of its own listeners alone. */
  private String text(String field) {
    String value = new CompoundVariable(getPropertyAsString(field)).execute().strip();
    if (value.isEmpty()) {
      throw new IllegalArgumentException(field + ": is missing");
    }
    return value;
  }

  private void watch(EngineRun run) {
    ScheduledExecutorService ticks =
        Executors.newSingleThreadScheduledExecutor(new DaemonThreads("ferry-jmeter-watch"));
    var unused =
        ticks.scheduleAtFixedRate(
            () -> {
              EngineRun.State state = run.check();
              if (state == EngineRun.State.RUNNING) {
                return;
              }
              ticks.shutdown();
              finish(run);
              if (state == EngineRun.State.LOST && GuiPackage.getInstance() == null) {
                say("JMeter would wait for the silent engines without end; this ends it");
                System.exit(1);
              }
            },
            1,
            1,
            TimeUnit.SECONDS);
  }

  private void finish(EngineRun run) {
    run.close();
    synchronized (shared) {
      shared.run = null;
    }
  }

  private static void say(String line) {
    LOG.warn(line);
    System.err.println(line);
  }

  @Override
  public void sampleOccurred(SampleEvent event) {
    EngineRun run;
    synchronized (shared) {
      run = shared.run;
    }
    String from = host;
    if (run == null || from == null) {
      // The engine has not started, or the run has ended.
      return;
    }
    if (event.getResult() instanceof HistogramSample sample) {
      run.received(from, sample);
    } else if (!wrongMode) {
      wrongMode = true;
      refuse(from, "add -Jmode=" + HistogramSampleSender.class.getName());
    }
  }

  @Override
  public void testEnded(String host) {
    ended = true;
    EngineRun run;
    synchronized (shared) {
      run = shared.run;
    }
    if (run != null) {
      run.ended(host);
    }
  }

  @Override
  public void testStarted() {
    say(getName() + ": is for remote engines; without them, nothing is written");
  }

  @Override
  public void testEnded() {}

  /** Does nothing: JMeter's window lists visualizers alone as listeners. */
  @Override
  public void add(SampleResult sample) {}

  @Override
  public boolean isStats() {
    return true;
  }

  @Override
  public void sampleStarted(SampleEvent event) {}

  @Override
  public void sampleStopped(SampleEvent event) {}

  /** The folder that gets a folder for each engine. */
  public String getFolder() {
    return getPropertyAsString(FOLDER);
  }

  public void setFolder(String value) {
    setProperty(FOLDER, value);
  }

  /** The engines, separated by commas, as JMeter's option {@code -R} names them. */
  public String getEngines() {
    return getPropertyAsString(ENGINES);
  }

  public void setEngines(String value) {
    setProperty(ENGINES, value);
  }

  /** How long the test plan loads the server, in seconds. */
  public String getSeconds() {
    return getPropertyAsString(SECONDS);
  }

  public void setSeconds(String value) {
    setProperty(SECONDS, value);
  }
}
