package dev.ferry.bench;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a run compares clients with: a server that is already there. */
interface Target extends AutoCloseable {
  /**
   * Returns the suite that compares the clients.
   *
   * @param time how long the rows may run; null for all rounds of the profile
   */
  Suite suite(@Nullable Duration time);

  /**
   * Checks how much a run loads the server.
   *
   * @param profile the settings of the profile, with the rounds that are made in any case
   * @throws LabException if it is more than is allowed
   */
  void requireAllowed(RunPlan plan, Settings profile) throws LabException;

  /** Returns the file of the run, which the server has sent; null if the rows move none. */
  @Nullable Path file();

  /** Deletes its temporary files. */
  @Override
  void close();
}
