package dev.ferry.lab.run;

import dev.ferry.lab.ceiling.CeilingOperation;
import dev.ferry.lab.model.CeilingFork;
import dev.ferry.lab.model.CeilingKey;
import dev.ferry.lab.model.HistogramText;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Part;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Sample.Usage;
import dev.ferry.lab.run.server.CodecCheck;
import dev.ferry.lab.run.server.RemoteServer;
import dev.ferry.lab.run.server.ServerProcess;
import dev.ferry.lab.suite.LoadDriver;
import dev.ferry.lab.suite.Operation.Outcome;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.Suites;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What a fork measures: the row, or one of its ceilings.
 *
 * @param label the prefix of the reason of a failure; empty for a row
 * @param driver runs its samples
 * @param samples the file to which samples are appended
 * @param server the server of the row, or of all ceilings of the fork if it has a process of its
 *     own; else null
 * @param promise what the label of the row states; null for a ceiling
 * @param foreign whether other programs do the work, so that its resource use is unknown
 */
record Subject(
    String label,
    LoadDriver driver,
    Path samples,
    @Nullable RowServer server,
    RowSpec.@Nullable Promise promise,
    boolean foreign)
    implements AutoCloseable {
  /** Kibibytes of one operation. */
  private static final String WIRE = "Wire";

  /** What an operation waited for, or could have. */
  private static final String ROUND_TRIPS = "Round trips";

  /** Kibibytes of one operation that TCP sent again. */
  private static final String RETRANSMITTED = "Retransmitted";

  private static final double KIB = 1024;

  /**
   * Opens all subjects of a job. On failure nothing keeps running.
   *
   * @param lost called once by another thread if the machine of the server is lost
   */
  static List<Subject> open(Job job, Runnable lost) throws LabException, IOException {
    CeilingFork ceilings = job.ceilings();
    return ceilings == null ? rows(job, lost) : ceilings(ceilings, job, lost);
  }

  private static List<Subject> rows(Job job, Runnable lost) throws LabException, IOException {
    List<Subject> opened = new ArrayList<>();
    try {
      for (int i = 0; i < job.rows().size(); i++) {
        opened.add(row(job.rows().get(i), job.samples().get(i), job, lost));
      }
    } catch (LabException | IOException | RuntimeException e) {
      closeAll(opened).ifPresent(e::addSuppressed);
      throw e;
    }
    return opened;
  }

  private static Subject row(RowKey key, Path samples, Job job, Runnable lost)
      throws LabException, IOException {
    RowSpec row = Suites.row(key);
    RowServer server =
        job.processes() == 1
            ? row.server().start(job.workplace())
            : startServer(row.key(), job, lost);
    try {
      return new Subject(
          "",
          new LoadDriver(row.client().start(workplace(job, server), server.port()), job.load()),
          samples,
          server,
          row.promise(),
          row.foreign());
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** Starts the server of a row, or of ceilings, in a process of its own. */
  private static ServerProcess startServer(@Nullable RowKey row, Job job, Runnable lost)
      throws IOException {
    RemoteServer machine = job.server();
    return machine == null
        ? ServerProcess.start()
        : ServerProcess.startOn(machine, row, job.workplace(), lost);
  }

  private static Workplace workplace(Job job, @Nullable RowServer server) throws IOException {
    return server instanceof ServerProcess process && process.isRemote()
        ? job.workplace().withUploads(process)
        : job.workplace();
  }

  private static List<Subject> ceilings(CeilingFork fork, Job job, Runnable lost)
      throws IOException {
    RowServer server = job.processes() == 1 ? null : startServer(null, job, lost);
    List<Subject> opened = new ArrayList<>();
    for (CeilingKey ceiling : fork.keys()) {
      String label = "ceiling " + ceiling + ": ";
      try {
        LoadDriver driver =
            CeilingOperation.open(
                ceiling.name(),
                ceiling.load(),
                workplace(job, server),
                server == null ? 0 : server.port());
        Path samples = job.samples().get(opened.size());
        // The first one closes the server, which serves all of them.
        opened.add(
            new Subject(label, driver, samples, opened.isEmpty() ? server : null, null, false));
      } catch (IOException | RuntimeException e) {
        IOException failure = new IOException(label + Reason.of(e), e);
        closeAll(opened).ifPresent(failure::addSuppressed);
        if (opened.isEmpty() && server != null) {
          server.close();
        }
        throw failure;
      }
    }
    return opened;
  }

  /** Closes all subjects even if some fail. Returns the last failure. */
  static Optional<IOException> closeAll(List<Subject> subjects) {
    Optional<IOException> failure = Optional.empty();
    for (Subject subject : subjects) {
      try {
        subject.close();
      } catch (IOException e) {
        failure = Optional.of(e);
      }
    }
    return failure;
  }

  /** Throws if an outcome contradicts the label of the row. */
  void requirePromise(Outcome outcome) throws IOException {
    if (promise != null) {
      require("protocol", promise.protocol(), outcome.protocol());
      require("encoding", promise.encoding(), outcome.encoding());
      CodecCheck.require(promise.codec());
    }
  }

  private static void require(String what, String promised, String actual) throws IOException {
    if (!promised.equals(actual)) {
      throw new IOException(what + " is " + actual + ", the row's label says " + promised);
    }
  }

  /** Creates the sample that the driver has just completed. */
  Sample sample(int round, Outcome outcome, ClientServerMeters.Used used) {
    Usage total = foreign ? null : used.total();
    Histogram latencies = driver.latencies();
    return new Sample(
        round,
        driver.nanos(),
        total == null ? null : (Long) total.allocatedBytes(),
        total == null ? null : (Long) total.cpuNanos(),
        total == null ? null : (Long) total.young(),
        total == null ? null : (Long) total.old(),
        total == null ? null : (Long) total.heapPeakBytes(),
        total == null ? null : (Long) total.directPeakBytes(),
        outcome.bytes(),
        outcome.wireBytes(),
        outcome.protocol(),
        outcome.encoding(),
        total == null || total.switches() < 0 ? null : (Long) total.switches(),
        latencies == null ? null : HistogramText.encode(latencies),
        parts(used),
        foreign ? null : used.client(),
        foreign ? null : used.server(),
        used.disturbance(foreign, driver.elapsedNanos()));
  }

  /** Returns the additional figures of the driver and, for a row, what passed over the network. */
  private List<Part> parts(ClientServerMeters.Used used) {
    List<Part> parts = new ArrayList<>(driver.parts());
    if (promise != null && used.loopbackBytes() >= 0) {
      parts.add(new Part(WIRE, "KB", used.loopbackBytes() / KIB / driver.operations()));
    }
    Double trips = used.roundTrips();
    if (promise != null && trips != null && driver.isSequential()) {
      parts.add(new Part(ROUND_TRIPS, "", trips / driver.operations()));
    }
    Long retransmitted = used.retransmittedBytes();
    if (promise != null && retransmitted != null) {
      parts.add(new Part(RETRANSMITTED, "KB", retransmitted / KIB / driver.operations()));
    }
    return parts;
  }

  @Override
  public void close() throws IOException {
    try {
      driver.close();
    } finally {
      if (server != null) {
        server.close();
      }
    }
  }
}
