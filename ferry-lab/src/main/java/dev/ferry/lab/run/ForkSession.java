package dev.ferry.lab.run;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.run.profiler.SampleProfiler;
import dev.ferry.lab.suite.LoadDriver;
import dev.ferry.lab.suite.Operation.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The life of a fork: it opens its subjects, warms up, and takes samples. Used by one thread. */
final class ForkSession implements AutoCloseable {
  /** One in how many operations of a row's warm-up is a whole sample. */
  private static final int OPERATIONS_PER_SAMPLE = 5;

  private final Job job;
  private final List<Subject> subjects;
  private final ClientServerMeters meters;
  private final SampleProfiler profiler;
  private boolean measuring;
  private int turn;

  private ForkSession(Job job, List<Subject> subjects, SampleProfiler profiler) {
    this.job = job;
    this.subjects = subjects;
    this.meters = new ClientServerMeters(subjects.get(0).server());
    this.profiler = profiler;
  }

  /** Opens what the job of this fork is about. */
  static ForkSession open() throws IOException {
    Job job = Job.ofFork();
    try {
      // First, so that it sees the compiler at work from the beginning.
      SampleProfiler profiler = SampleProfiler.open(job.profiler(), job.profile());
      return new ForkSession(job, Subject.open(job), profiler);
    } catch (LabException | IOException | RuntimeException e) {
      throw failed(job, "", e);
    }
  }

  /** Whether the samples that follow count. */
  void measuring(boolean value) {
    measuring = value;
  }

  /**
   * Repeats the operation until it is fast. A row's is often what a sample is, meters and check and
   * all, so that nothing of it is new to the JVM later, but mostly the operation alone: a check of
   * a file takes longer than its transfer, and a transfer that was not repeated enough is not
   * compiled well, however long its warm-up took.
   */
  void warmUp() throws IOException {
    int[] count = {0};
    int perSample = job.ceilings() == null ? OPERATIONS_PER_SAMPLE : 1;
    new WarmUp(job.settings(), System::nanoTime, meters::compiledMillis)
        .run(
            () -> {
              if (count[0]++ % perSample == 0) {
                sampleEach();
              } else {
                operate(subjects.get(0));
              }
            });
    // One collection here spares the samples the garbage of the start; none between samples.
    meters.collect();
  }

  private void operate(Subject subject) throws IOException {
    step(subject, subject.driver()::prepare);
    run(subject);
    step(subject, subject.driver()::discard);
  }

  /** Takes a sample of each; another one begins every time, so that none always follows another. */
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
          SampleLog.append(
              measuring ? subject.samples() : scratch(),
              subject.sample(job.round(), outcome, used));
        });
  }

  /** Where the samples of the warm-up go: they are written like the others, and not kept. */
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

  /** What fails is left behind for the parent to tell. */
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
