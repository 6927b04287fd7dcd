package dev.ferry.lab.run;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * Takes a sample of the row, or of each ceiling in turn, per invocation. The session times the
 * operations. JMH's own figure includes checks and meters and is not used.
 *
 * <p>The benchmark needs a job, so only the lab starts it: {@code ./ferry bench} runs it for every
 * row, and for the ceilings.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class SampleBenchmark {
  /** Names what is measured in the log of JMH. The job contains the details. */
  @Param("")
  @SuppressWarnings("NullAway.Init") // JMH sets it.
  public String subject;

  /** The number of single invocations that JMH makes before those that count. */
  static final int WARMUP_ITERATIONS = 3;

  private int warmupIterations;

  @SuppressWarnings("NullAway.Init") // JMH calls open before anything else.
  private ForkSession session;

  /** Starts servers and clients. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    session = ForkSession.open();
  }

  /**
   * Warms up before the last of JMH's warm-up iterations. The earlier iterations load the classes
   * that JMH and the meters need. Class loading between samples would make the JVM discard compiled
   * code, and the next samples would include compilation time.
   */
  @Setup(Level.Iteration)
  public void warmUp(IterationParams iteration) throws IOException {
    session.measuring(iteration.getType() == IterationType.MEASUREMENT);
    if (iteration.getType() == IterationType.WARMUP && ++warmupIterations == WARMUP_ITERATIONS) {
      session.warmUp();
    }
  }

  /** Takes one sample of each subject. */
  @Benchmark
  public void run() throws IOException {
    session.sampleEach();
  }

  /** Stops clients and servers. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    session.close();
  }
}
