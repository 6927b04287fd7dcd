package dev.ferry.lab.run;

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
import dev.ferry.lab.suite.Operation;
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
 * A row, or a ceiling, that a fork measures.
 *
 * @param row what it is
 * @param driver runs its samples
 * @param samples the file to which samples are appended
 * @param server the server that ends with it; null if it has none, or that of another one
 */
record Subject(RowSpec row, LoadDriver driver, Path samples, @Nullable RowServer server)
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
  static List<Subject> open(Job job, Runnable lost) throws IOException {
    List<Subject> opened = new ArrayList<>();
    for (RowKey key : job.rows()) {
      try {
        opened.add(open(Suites.row(key), opened, job, lost));
      } catch (LabException | IOException | RuntimeException e) {
        closeAll(opened).ifPresent(e::addSuppressed);
        throw new IOException(label(key) + Reason.of(e), e);
      }
    }
    return opened;
  }

  private static Subject open(RowSpec row, List<Subject> before, Job job, Runnable lost)
      throws IOException {
    RowServer server = before.isEmpty() ? null : before.get(0).server;
    boolean apart = job.processes() > 1;
    // One process serves all ceilings, and ends with the first of them. In one process a ceiling
    // has both of its ends, so that it can say why the other one has failed.
    RowServer own =
        apart
            ? server == null ? startServer(row.key(), job, lost) : null
            : row.key().isCeiling() ? null : row.server().start(job.workplace());
    RowServer used = own == null && apart ? server : own;
    try {
      Operation client = row.client().start(workplace(job, used), used == null ? 0 : used.port());
      return new Subject(
          row, new LoadDriver(client, job.load()), job.samples().get(before.size()), own);
    } catch (IOException | RuntimeException e) {
      if (own != null) {
        own.close();
      }
      throw e;
    }
  }

  /** Starts the server of a row in a process of its own. */
  private static ServerProcess startServer(RowKey row, Job job, Runnable lost) throws IOException {
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

  /** Returns the prefix of the reason of a failure, which all ceilings of a fork share. */
  String label() {
    return label(row.key());
  }

  private static String label(RowKey key) {
    return key.isCeiling() ? "ceiling " + key + ": " : "";
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
    RowSpec.Promise promise = row.promise();
    if (!row.key().isCeiling()) {
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
    boolean foreign = row.needs().foreign();
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
    if (row.key().isCeiling()) {
      return parts;
    }
    if (used.loopbackBytes() >= 0) {
      parts.add(new Part(WIRE, "KB", used.loopbackBytes() / KIB / driver.operations()));
    }
    Double trips = used.roundTrips();
    if (trips != null && driver.isSequential()) {
      parts.add(new Part(ROUND_TRIPS, "", trips / driver.operations()));
    }
    Long retransmitted = used.retransmittedBytes();
    if (retransmitted != null) {
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
