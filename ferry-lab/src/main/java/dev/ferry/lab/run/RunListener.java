package dev.ferry.lab.run;

import dev.ferry.lab.model.CeilingFork;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.suite.Plan;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Receives the progress of a run on the thread that runs it. */
public interface RunListener {
  /**
   * Called before the first fork of a run that is not expected to have the three forks of each row
   * that a verdict needs.
   *
   * @param needed how long the rounds take that would have them
   */
  default void tooShort(Duration needed) {}

  /**
   * Called when a fork starts.
   *
   * @param done the number of forks that have ended
   * @param total the number of forks of the whole run
   * @param left the estimated remaining time
   */
  void started(RowKey row, int round, int done, int total, Duration left);

  /**
   * Called when a fork has ended.
   *
   * @param done the number of forks that have ended, including this one
   * @param failure why the row failed, in this round or an earlier one; null if it did not
   * @throws IOException if the results cannot be stored, which ends the run
   */
  void ended(RowKey row, int done, @Nullable String failure) throws IOException;

  /**
   * Called when a fork that measures ceilings starts.
   *
   * @param fork what it measures
   * @param done the number of forks that have ended
   * @param total the number of forks of the whole run
   * @param left the estimated remaining time
   */
  default void ceilingsStarted(CeilingFork fork, int round, int done, int total, Duration left) {}

  /**
   * Called when a fork that measures ceilings has ended.
   *
   * @param fork what it measured
   * @param done the number of forks that have ended, including this one
   * @param failure why a ceiling failed, in this round or an earlier one; null if none did
   * @throws IOException if the results cannot be stored, which ends the run
   */
  default void ceilingsEnded(CeilingFork fork, int done, @Nullable String failure)
      throws IOException {}

  /** Called when all rows of a group have ended in a round. */
  default void groupEnded(Plan.Group group) {}

  /** Called after each fork with the results so far, before the fork is said to have ended. */
  default void soFar(RunDocument run) {}
}
