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
 * Times the operation of any row of any suite, one sample per invocation.
 *
 * <p>It needs a job and is started by the lab only: {@code ./ferry bench} runs it for every row of
 * the reference's tables.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class RowBenchmark {
  /** Name of the row, for JMH's own log; the job says the rest. */
  @Param("")
  @SuppressWarnings("NullAway.Init") // JMH sets it.
  public String row;

  /** How many single operations JMH runs before those that count. */
  static final int WARMUP_ITERATIONS = 3;

  private int warmupIterations;

  @SuppressWarnings("NullAway.Init") // JMH calls open before anything else.
  private RowSession session;

  /** Starts server and client. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    session = RowSession.open(System.getProperty(Job.PROPERTY, ""));
  }

  /**
   * Warms up before the last of JMH's warm-up iterations. The ones before it are there to load what
   * JMH and the meters need: classes that are loaded between samples make the JVM throw compiled
   * code away, and the next few samples would time the compiler.
   */
  @Setup(Level.Iteration)
  public void warmUp(IterationParams iteration) throws IOException {
    session.measuring(iteration.getType() == IterationType.MEASUREMENT);
    if (iteration.getType() == IterationType.WARMUP && ++warmupIterations == WARMUP_ITERATIONS) {
      session.warmUp();
    }
  }

  /** Picks a fresh name and starts the meters. */
  @Setup(Level.Invocation)
  public void prepare() throws IOException {
    session.prepare();
  }

  /** The operation: creates, writes, closes and renames its target. */
  @Benchmark
  public Object run() throws IOException {
    return session.run();
  }

  /** Stops the meters, checks size and digest, and keeps the sample. */
  @TearDown(Level.Invocation)
  public void check() throws IOException {
    session.finish();
  }

  /** Stops client and server. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    session.close();
  }
}
