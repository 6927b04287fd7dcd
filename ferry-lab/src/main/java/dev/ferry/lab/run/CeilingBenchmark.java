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
 * Times several ceilings by turns, one sample of each per invocation; JMH's own figure is the sum.
 *
 * <p>It needs a job and is started by the lab only: {@code ./ferry bench} runs it at the start of
 * every round. It warms up as {@link RowBenchmark} does.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class CeilingBenchmark {
  /** Names of the ceilings, for JMH's own log; the job says the rest. */
  @Param("")
  @SuppressWarnings("NullAway.Init") // JMH sets it.
  public String ceilings;

  private int warmupIterations;

  @SuppressWarnings("NullAway.Init") // JMH calls open before anything else.
  private CeilingSession session;

  /** Opens connections and prepares what is measured. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    session = CeilingSession.open(System.getProperty(Job.PROPERTY, ""));
  }

  /** Warms up before the last of JMH's warm-up iterations. */
  @Setup(Level.Iteration)
  public void warmUp(IterationParams iteration) throws IOException {
    session.measuring(iteration.getType() == IterationType.MEASUREMENT);
    if (iteration.getType() == IterationType.WARMUP
        && ++warmupIterations == RowBenchmark.WARMUP_ITERATIONS) {
      session.warmUp();
    }
  }

  /** One sample of each. */
  @Benchmark
  public void run() throws IOException {
    session.sampleEach();
  }

  /** Closes connections. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    session.close();
  }
}
