package dev.ferry.lab.run.server;

import dev.ferry.core.Sha256;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.run.jvm.Collector;
import dev.ferry.lab.run.jvm.JvmFlags;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.Suites;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What a bench asks of a bench server: the server of a row, with a file. It names no path, class or
 * flag: those are made by the machine that runs the server.
 *
 * @param row the row
 * @param source the name of the file
 * @param bytes its size in bytes
 * @param sha256 its digest in hexadecimal
 * @param heapBytes the initial and maximum heap size of the JVM in bytes
 * @param collector its garbage collector
 */
record ServerRequest(
    RowKey row, String source, long bytes, String sha256, long heapBytes, Collector collector) {
  private static final String NAME = Workplace.SOURCE + "(-\\d{1,18})?";
  private static final String DIGEST = "[0-9a-f]{" + 2 * Sha256.LENGTH + "}";
  private static final String UNKNOWN = "no suite has the row of the request";
  private static final long LEAST_HEAP = 1 << 20;

  /**
   * Reads and checks a request of another machine.
   *
   * @throws IOException if it is not what a bench of this build asks for
   */
  static ServerRequest parse(String json) throws IOException {
    ServerRequest request;
    try {
      request = ControlLine.JSON.readValue(json, ServerRequest.class);
    } catch (IOException e) {
      throw new IOException("the request is not one of this build", e);
    }
    if (request.row == null
        || request.source == null
        || !request.source.matches(NAME)
        || request.sha256 == null
        || !request.sha256.matches(DIGEST)
        || request.bytes < 0
        || request.collector == null) {
      throw new IOException("the request names a file or a JVM that no bench has");
    }
    requireHeap(request.heapBytes);
    requireKnown(request.row);
    return request;
  }

  /** Checks that a heap has room on this machine. */
  static void requireHeap(long bytes) throws IOException {
    long memory =
        ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getTotalMemorySize();
    if (bytes < LEAST_HEAP || bytes > memory) {
      throw new IOException(
          "a heap of %,d bytes; the server's machine has %,d".formatted(bytes, memory));
    }
  }

  private static void requireKnown(RowKey row) throws IOException {
    RowSpec spec = spec(row);
    if (spec.needs().foreign()) {
      throw new IOException(UNKNOWN);
    }
    Optional<String> obstacle = spec.needs().obstacle().get();
    if (obstacle.isPresent()) {
      throw new IOException(obstacle.get());
    }
  }

  private static RowSpec spec(RowKey row) throws IOException {
    try {
      // A suite can make no row that it does not have.
      if (Suites.of(row).has(row)) {
        return Suites.row(row);
      }
    } catch (LabException e) {
      throw new IOException(UNKNOWN, e);
    }
    throw new IOException(UNKNOWN);
  }

  /** Returns its row. */
  RowSpec spec() throws IOException {
    return spec(row);
  }

  /** Returns the flags of its JVM that affect the figures. */
  JvmFlags flags() {
    return new JvmFlags(heapBytes, collector, List.of());
  }

  Sha256 digest() throws IOException {
    return Sha256.of(HexFormat.of().parseHex(sha256));
  }
}
