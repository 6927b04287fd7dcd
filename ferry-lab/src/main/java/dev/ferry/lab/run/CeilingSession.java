package dev.ferry.lab.run;

import dev.ferry.lab.ceiling.CeilingWork;
import dev.ferry.lab.model.CeilingKey;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Usage;
import dev.ferry.lab.run.meter.Meters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The life of some ceilings in their fork: warm-up, then sample after sample. One thread only. */
final class CeilingSession implements AutoCloseable {
  /** What a sample says of a protocol and an encoding that nobody negotiates. */
  private static final String NONE = "none";

  private final CeilingJob job;
  private final Map<CeilingKey, CeilingWork> works = new LinkedHashMap<>();
  private final Meters meters = new Meters();
  private boolean measuring;
  private int turn;

  private CeilingSession(CeilingJob job) {
    this.job = job;
  }

  /** Opens the ceilings of a job file. */
  static CeilingSession open(String jobFile) throws IOException {
    CeilingJob job = JobFiles.read(Path.of(jobFile), CeilingJob.class);
    CeilingSession session = new CeilingSession(job);
    for (CeilingKey ceiling : job.ceilings().keys()) {
      try {
        session.works.put(
            ceiling, CeilingWork.open(ceiling.name(), ceiling.load(), job.workplace()));
      } catch (IOException | RuntimeException e) {
        try (session) {
          throw session.failed(ceiling, e);
        }
      }
    }
    return session;
  }

  /** Whether the samples that follow count. */
  void measuring(boolean value) {
    measuring = value;
  }

  /** Repeats what a sample of each is, meters and all, until they are fast. */
  void warmUp() throws IOException {
    WarmUp.of(job.settings()).run(this::sampleEach);
    // One collection here spares the samples the garbage of the start; none between samples.
    System.gc();
  }

  /** Takes a sample of each; another one begins every time, so that none always follows another. */
  void sampleEach() throws IOException {
    List<CeilingKey> ceilings = job.ceilings().keys();
    for (int i = 0; i < ceilings.size(); i++) {
      sample(ceilings.get((turn + i) % ceilings.size()));
    }
    turn++;
  }

  private void sample(CeilingKey ceiling) throws IOException {
    CeilingWork work = works.get(ceiling);
    if (work == null) {
      throw new IllegalStateException(ceiling + " is not open");
    }
    try {
      work.prepare();
      // Rows are measured with meters around them, which cost a little.
      meters.start();
      long start = System.nanoTime();
      work.run();
      long nanos = System.nanoTime() - start;
      Usage usage = meters.stop();
      work.check();
      if (measuring) {
        SampleLog.append(
            new RunFolder(job.runFolder()).samples(ceiling, job.round()), sample(nanos, usage));
      }
    } catch (IOException | RuntimeException e) {
      throw failed(ceiling, e);
    }
  }

  private Sample sample(long nanos, Usage usage) {
    Load load = job.ceilings().load();
    long bytes = load == null ? job.size() : load.operationBytes();
    return new Sample(
        job.round(),
        nanos,
        usage.allocatedBytes(),
        usage.cpuNanos(),
        usage.young(),
        usage.old(),
        usage.heapPeakBytes(),
        usage.directPeakBytes(),
        bytes,
        bytes,
        NONE,
        NONE,
        usage.switches() < 0 ? null : (Long) usage.switches(),
        null,
        List.of(),
        null,
        null);
  }

  private IOException failed(CeilingKey ceiling, Exception e) throws IOException {
    String reason = "ceiling " + ceiling + ": " + Reason.of(e);
    Files.writeString(job.failure(), reason);
    return new IOException(reason, e);
  }

  @Override
  public void close() throws IOException {
    meters.close();
    CeilingWork.closeAll(works.values());
  }
}
