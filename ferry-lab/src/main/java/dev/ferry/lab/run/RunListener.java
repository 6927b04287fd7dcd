package dev.ferry.lab.run;

import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.suite.RunPlan;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Receives the progress of a run on the thread that runs it. */
public interface RunListener {
  /**
   * Called once if a run is not expected to have the three forks of each row that a verdict needs:
   * after its first fork if it has a time limit, else before it.
   *
   * @param needed how long a run takes that has them
   */
  default void tooShort(Duration needed) {}

  /**
   * Called after {@link #tooShort} if the run has a time limit.
   *
   * @return whether the run is to take so long instead
   */
  default boolean takesLonger(Duration needed) {
    return false;
  }

  /**
   * Called when a fork starts.
   *
   * @param fork what it measures
   * @param done the number of forks that have ended
   * @param total the number of forks of the whole run; an estimate if it has a time limit
   * @param left the estimated remaining time
   */
  default void started(RowFork fork, int round, int done, int total, Duration left) {}

  /**
   * Called when a fork has ended.
   *
   * @param fork what it measured
   * @param done the number of forks that have ended, including this one
   * @param failure why what it measured failed, in this round or an earlier one; null if it did not
   */
  default void ended(RowFork fork, int done, @Nullable String failure) {}

  /** Called when all rows of a group have ended in a round. */
  default void groupEnded(RunPlan.Group group) {}

  /** Called after each fork with the results so far, before the fork is said to have ended. */
  default void soFar(RunDocument run) {}
}
