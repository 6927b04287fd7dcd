package dev.ferry.lab.run;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.run.profiler.SampleProfiler;
import dev.ferry.lab.suite.LoadDriver;
import dev.ferry.lab.suite.Operation.Outcome;
import dev.ferry.lab.suite.Pin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The life cycle of a fork: it opens its subjects, warms up, and takes samples. Used by one thread.
 */
final class ForkSession implements AutoCloseable {
  /** In the warm-up of a row, one in this many operations is a complete sample. */
  private static final int OPERATIONS_PER_SAMPLE = 5;

  private final Job job;
  private final List<Subject> subjects;
  private final ClientServerMeters meters;
  private final SampleProfiler profiler;
  private final WarmUp warmUp;
  private boolean measuring;
  private int turn;

  private ForkSession(Job job, List<Subject> subjects, SampleProfiler profiler) {
    this.job = job;
    this.subjects = subjects;
    this.meters = new ClientServerMeters(subjects.get(0).server());
    this.profiler = profiler;
    this.warmUp =
        new WarmUp(job.settings(), System::nanoTime, meters::compilerNanos, Thread::sleep);
  }

  /** Opens the subjects of this fork's job. */
  static ForkSession open() throws IOException {
    Job job = Job.ofFork();
    try {
      Pin pin = Pin.ofFork();
      if (pin != null) {
        pin.pinClient();
      }
      // Must be opened first, so that it observes the compiler from the beginning.
      SampleProfiler profiler = SampleProfiler.open(job.profiler(), job.profile());
      return new ForkSession(job, Subject.open(job), profiler);
    } catch (LabException | IOException | RuntimeException e) {
      throw failed(job, "", e);
    }
  }

  /** Sets whether the following samples count. */
  void measuring(boolean value) {
    measuring = value;
  }

  /**
   * Repeats the operation until it is fast. In a row, some operations are complete samples with
   * meters and check, so that the JVM has compiled all of that code. Most run only the operation,
   * because the check of a file takes longer than its transfer, and a transfer with too few
   * repetitions is not well compiled, however long the warm-up was.
   */
  void warmUp() throws IOException {
    int[] count = {0};
    int perSample = job.ceilings() == null ? OPERATIONS_PER_SAMPLE : 1;
    warmUp.run(
        () -> {
          if (count[0]++ % perSample == 0) {
            sampleEach();
          } else {
            operate(subjects.get(0));
          }
        });
    subjects.forEach(subject -> subject.driver().beginArrivals());
    // One collection here removes the garbage of the start from the samples. There is none between
    // samples.
    meters.collect();
  }

  private void operate(Subject subject) throws IOException {
    step(subject, subject.driver()::prepare);
    run(subject);
    step(subject, subject.driver()::discard);
  }

  /**
   * Takes a sample of each subject. The first subject rotates, so that no subject always follows
   * the same one.
   */
  void sampleEach() throws IOException {
    for (int i = 0; i < subjects.size(); i++) {
      sample(subjects.get((turn + i) % subjects.size()));
    }
    turn++;
  }

  private void sample(Subject subject) throws IOException {
    LoadDriver driver = subject.driver();
    step(
        subject,
        () -> {
          driver.prepare();
          driver.settle();
          if (measuring) {
            warmUp.awaitCompiler();
            profiler.begin();
          }
          meters.start();
        });
    run(subject);
    step(
        subject,
        () -> {
          Outcome outcome = driver.outcome();
          ClientServerMeters.Used used = meters.stop();
          if (measuring) {
            profiler.end();
          }
          subject.requirePromise(outcome);
          driver.check();
          subject
              .sample(job.round(), outcome, used)
              .appendTo(measuring ? subject.samples() : scratch());
        });
  }

  /**
   * Returns the file for samples of the warm-up. They are written like other samples and then
   * discarded.
   */
  private Path scratch() {
    return job.failure().resolveSibling("warm-up.jsonl");
  }

  private void run(Subject subject) throws IOException {
    try {
      subject.driver().run();
    } catch (IOException | RuntimeException e) {
      throw failed(job, subject.label(), meters.causeOf(e));
    }
  }

  @FunctionalInterface
  private interface Step {
    void take() throws IOException;
  }

  /** Runs a step. Writes the reason of a failure to a file for the parent process. */
  private void step(@Nullable Subject subject, Step step) throws IOException {
    try {
      step.take();
    } catch (IOException | RuntimeException e) {
      throw failed(job, subject == null ? "" : subject.label(), e);
    }
  }

  private static IOException failed(Job job, String label, Exception e) throws IOException {
    String reason = label + Reason.of(e);
    Files.writeString(job.failure(), reason);
    return new IOException(job.title() + ": " + reason, e);
  }

  @Override
  public void close() throws IOException {
    meters.close();
    try {
      step(null, profiler::finish);
    } finally {
      Optional<IOException> failure = Subject.closeAll(subjects);
      if (failure.isPresent()) {
        throw failure.get();
      }
    }
  }
}
