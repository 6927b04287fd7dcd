package dev.ferry.lab.run.server;

import dev.ferry.core.Sha256;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.run.jvm.Collector;
import dev.ferry.lab.run.jvm.JvmFlags;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Suites;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a bench asks of a bench server: the server of a row or of ceilings, with a file. It names no
 * path, class or flag: those are made by the machine that runs the server.
 *
 * @param row the row; null for ceilings
 * @param source the name of the file
 * @param bytes its size in bytes
 * @param sha256 its digest in hexadecimal
 * @param heapBytes the initial and maximum heap size of the JVM in bytes
 * @param collector its garbage collector
 */
record ServerRequest(
    @Nullable RowKey row,
    String source,
    long bytes,
    String sha256,
    long heapBytes,
    Collector collector) {
  private static final String NAME = Workplace.SOURCE + "(-\\d{1,18})?";
  private static final String DIGEST = "[0-9a-f]{" + 2 * Sha256.LENGTH + "}";
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
    if (request.source == null
        || !request.source.matches(NAME)
        || request.sha256 == null
        || !request.sha256.matches(DIGEST)
        || request.bytes < 0
        || request.collector == null) {
      throw new IOException("the request names a file or a JVM that no bench has");
    }
    requireHeap(request.heapBytes);
    if (request.row != null) {
      requireKnown(request.row);
    }
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
    Suite suite = suite(row);
    if (!suite.has(row) || suite.foreign(row)) {
      throw new IOException("no suite has the row of the request");
    }
    String obstacle = suite.obstacle(row);
    if (obstacle != null) {
      throw new IOException(obstacle);
    }
  }

  private static Suite suite(RowKey row) throws IOException {
    try {
      return Suites.find(row.suite());
    } catch (LabException e) {
      throw new IOException("no suite has the row of the request", e);
    }
  }

  /** Returns the suite of its row; null for ceilings. */
  @Nullable Suite suite() throws IOException {
    return row == null ? null : suite(row);
  }

  /** Returns the flags of its JVM that affect the figures. */
  JvmFlags flags() {
    return new JvmFlags(heapBytes, collector, List.of());
  }

  Sha256 digest() throws IOException {
    return Sha256.of(HexFormat.of().parseHex(sha256));
  }
}
