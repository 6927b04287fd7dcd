package dev.ferry.lab.run;

import dev.ferry.lab.model.CeilingFork;
import dev.ferry.lab.model.CeilingRun;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Hears how far a run is, on the thread that runs it. */
public interface RunListener {
  /**
   * A fork begins.
   *
   * @param done forks that have ended
   * @param total forks of the whole run
   * @param left estimate of the time until the end
   */
  void started(RowKey row, int round, int done, int total, Duration left);

  /**
   * A fork has ended.
   *
   * @param done forks that have ended, this one included
   * @param rows all that is known so far
   * @throws IOException where it could not be kept, which ends the run
   */
  void ended(RowKey row, int round, int done, int total, List<RowRun> rows) throws IOException;

  /**
   * A fork that measures ceilings begins.
   *
   * @param fork what it measures
   * @param done forks that have ended
   * @param total forks of the whole run
   * @param left estimate of the time until the end
   */
  default void ceilingsStarted(CeilingFork fork, int round, int done, int total, Duration left) {}

  /**
   * A fork that measures ceilings has ended.
   *
   * @param runs what it measured, of all rounds so far
   * @param done forks that have ended, this one included
   * @param rows all that is known so far
   * @throws IOException where it could not be kept, which ends the run
   */
  default void ceilingsEnded(
      List<CeilingRun> runs, int round, int done, int total, List<RowRun> rows)
      throws IOException {}
}
