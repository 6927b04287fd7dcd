package dev.ferry.lab.model;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One timed sample of a fork: one operation, or several if the row has such a load. If other
 * programs did the work, the resource use is null. Samples are kept as lines of JSON, in one file
 * per row and round. Written lines survive a kill.
 *
 * @param round the round, from 0
 * @param nanos the time in nanoseconds
 * @param allocatedBytes the allocated heap in bytes, client and server together
 * @param cpuNanos the CPU time in nanoseconds without the JIT compiler, client and server together
 * @param young collections of the young generation
 * @param old collections of the old generation
 * @param heapPeakBytes the peak heap use in bytes, including garbage; with two processes, the sum
 *     of their peaks
 * @param directPeakBytes the peak direct memory use of the JDK and Netty in bytes; with two
 *     processes, the sum of their peaks
 * @param bytes the unencoded size of one operation in bytes, for instance of the file
 * @param wireBytes the encoded size of one operation in bytes, without the headers of the transport
 * @param protocol the negotiated protocol
 * @param encoding the negotiated encoding
 * @param switches the number of voluntary context switches, client and server together; null if the
 *     system does not report them
 * @param latencies the duration of each operation in nanoseconds as an HdrHistogram (V2,
 *     compressed, in base64); null if operations were not timed one by one
 * @param parts additional figures of an operation
 * @param client the resource use of the client; null if both ends share a process
 * @param server the resource use of the server; null if both ends share a process
 * @param disturbance what else ran during the sample
 */
public record Sample(
    int round,
    long nanos,
    @Nullable Long allocatedBytes,
    @Nullable Long cpuNanos,
    @Nullable Long young,
    @Nullable Long old,
    @Nullable Long heapPeakBytes,
    @Nullable Long directPeakBytes,
    long bytes,
    long wireBytes,
    String protocol,
    String encoding,
    @Nullable Long switches,
    @Nullable String latencies,
    List<Part> parts,
    @Nullable Usage client,
    @Nullable Usage server,
    Disturbance disturbance) {
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  public Sample {
    parts = List.copyOf(parts);
  }

  /**
   * The resource use of one operation in one process.
   *
   * @param allocatedBytes the allocated heap in bytes
   * @param cpuNanos the CPU time of all threads except the JIT compiler in nanoseconds
   * @param young collections of the young generation
   * @param old collections of the old generation
   * @param heapPeakBytes the peak heap use in bytes, including garbage
   * @param directPeakBytes the peak direct memory use of the JDK and Netty in bytes
   * @param switches the number of voluntary context switches; -1 if the system does not report them
   */
  public record Usage(
      long allocatedBytes,
      long cpuNanos,
      long young,
      long old,
      long heapPeakBytes,
      long directPeakBytes,
      long switches) {
    /**
     * Adds the use of two processes. The peaks may have occurred at different times, so their sum
     * is an upper bound.
     */
    public Usage plus(Usage other) {
      return new Usage(
          allocatedBytes + other.allocatedBytes,
          cpuNanos + other.cpuNanos,
          young + other.young,
          old + other.old,
          heapPeakBytes + other.heapPeakBytes,
          directPeakBytes + other.directPeakBytes,
          switches < 0 || other.switches < 0 ? -1 : switches + other.switches);
    }
  }

  /** Appends the sample to a file, as a line. */
  public void appendTo(Path file) throws IOException {
    Files.writeString(
        file,
        JSON.writeValueAsString(this) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /**
   * Reads the samples of a file; empty if the file does not exist. A line truncated by a kill is
   * skipped.
   *
   * @throws IOException if another line is no sample
   */
  public static List<Sample> read(Path file) throws IOException {
    List<Sample> samples = new ArrayList<>();
    if (Files.exists(file)) {
      String text = Files.readString(file);
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        Sample sample = JSON.readValue(line, Sample.class);
        if (sample == null) {
          throw new IOException(file + ": a line is not a sample; delete the file");
        }
        samples.add(sample);
      }
    }
    return samples;
  }
}
