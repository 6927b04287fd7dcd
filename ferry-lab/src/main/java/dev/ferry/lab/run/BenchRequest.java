package dev.ferry.lab.run;

import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.run.jvm.Jvms;
import dev.ferry.lab.run.server.RemoteServer;
import dev.ferry.lab.suite.RunPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What to measure, and where to write the results.
 *
 * @param plan the rows
 * @param profile the number of rounds and samples
 * @param processes 1, or 2 to run the server of each row in a separate process
 * @param pin whether each end has processors of its own; needs 2 processes
 * @param jvms the JVMs of the forks
 * @param network the network between the two ends; needs 2 processes; null for the loopback
 * @param server the bench server on another machine, which runs the servers of the rows; needs 2
 *     processes; null for this machine
 * @param profiler the profiler of the samples, which distorts the figures; null for none
 * @param file the file to transfer; null for a generated one
 * @param generatedBytes the size of the generated file in bytes, at least 1
 * @param out the run folder, which must be new or empty
 * @param workFolder an existing folder in which temporary files are created
 * @param threshold the smallest relative difference of two times that matters, at least 0
 * @param time how long the rows may run; null for the rounds of the profile. See {@link Schedule}
 * @param arguments the arguments of the command, which the run keeps
 * @param resumed the run in {@code out} that goes on; null for a new run
 * @param viewer is given the page of the run as soon as there is one, on the thread of the run; the
 *     page is then written again after every fork. If null, it is written at the end
 */
public record BenchRequest(
    RunPlan plan,
    Profile profile,
    int processes,
    boolean pin,
    Jvms jvms,
    @Nullable Network network,
    @Nullable RemoteServer server,
    @Nullable Profiler profiler,
    @Nullable Path file,
    long generatedBytes,
    Path out,
    Path workFolder,
    double threshold,
    @Nullable Duration time,
    List<String> arguments,
    @Nullable RunDocument resumed,
    @Nullable Consumer<Path> viewer) {
  public BenchRequest {
    arguments = List.copyOf(arguments);
    if (processes < 1 || processes > 2) {
      throw new IllegalArgumentException("processes is " + processes + ", not 1 or 2");
    }
    if (pin && processes != 2) {
      throw new IllegalArgumentException("pinned ends in one process");
    }
    if (network != null && processes != 2) {
      throw new IllegalArgumentException("a network in one process");
    }
    if (server != null && (processes != 2 || pin || network != null)) {
      throw new IllegalArgumentException("a server elsewhere, in one process, pinned or on a wire");
    }
    if (generatedBytes < 1) {
      throw new IllegalArgumentException("a file of " + generatedBytes + " bytes");
    }
    if (!(threshold >= 0)) {
      throw new IllegalArgumentException("a threshold of " + threshold);
    }
  }

  /**
   * Returns whether rows may share a fork, which saves its start and a part of its warm-up: if the
   * time is limited, and both ends are in the fork.
   */
  boolean sharesForks() {
    return time != null && processes == 1 && profiler == null;
  }

  /** Returns whether what passes between the two ends crosses more than the loopback. */
  public boolean distant() {
    return network != null || server != null;
  }
}
