package dev.ferry.lab.ceiling;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.lab.ceiling.GzipCeiling.Step;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.suite.LoadDriver;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operation of a ceiling: each worker has connections and threads of its own.
 *
 * <p>Operations may be repeated before the check, which looks at what each of them left; of those
 * in memory that is what the last one left.
 */
public final class CeilingOperation implements Operation {
  /** What stands for a protocol and an encoding that nobody negotiates. */
  private static final String NONE = "none";

  private final List<Part> parts;
  private final Outcome outcome;

  /** A part of the work of a file transfer; used by one worker. */
  interface Part extends AutoCloseable {
    /** Prepares a sample. */
    default void prepare() {}

    /** Does it; numbers are those of the sample's operations. */
    void run(int operation) throws IOException;

    /** As {@link Operation#check}. */
    void check(int operation) throws IOException;

    @Override
    default void close() throws IOException {}
  }

  private CeilingOperation(List<Part> parts, long bytes) {
    this.parts = parts;
    this.outcome = new Outcome(bytes, bytes, NONE, NONE);
  }

  /**
   * Starts what a ceiling needs, in this process.
   *
   * @param load how often an operation is done, and how many at once; null for one
   * @param workplace with a source of the load's size
   * @throws IOException if it does not start; nothing is left running then
   */
  public static LoadDriver open(CeilingName name, @Nullable Load load, Workplace workplace)
      throws IOException {
    List<Part> parts = new ArrayList<>();
    try {
      for (int i = 0; i < (load == null ? 1 : load.atOnce()); i++) {
        parts.add(open(name, workplace));
      }
      long bytes = load == null ? workplace.size() : load.operationBytes();
      return new LoadDriver(new CeilingOperation(parts, bytes), load);
    } catch (IOException | RuntimeException e) {
      try {
        closeAll(parts);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private static Part open(CeilingName name, Workplace workplace) throws IOException {
    int cores = Runtime.getRuntime().availableProcessors();
    return switch (name) {
      case SOCKET_DOWNLOAD -> SocketCeiling.open(Direction.DOWNLOAD, false, workplace);
      case SOCKET_DOWNLOAD_TRANSFER -> SocketCeiling.open(Direction.DOWNLOAD, true, workplace);
      case SOCKET_UPLOAD -> SocketCeiling.open(Direction.UPLOAD, false, workplace);
      case SOCKET_UPLOAD_TRANSFER -> SocketCeiling.open(Direction.UPLOAD, true, workplace);
      case FILE_WRITE -> FileWriteCeiling.open(workplace);
      case FILE_READ -> new FileReadCeiling(workplace);
      case DEFLATE_1 -> GzipCeiling.open(Step.COMPRESS, 1, CompressionCodec.GZIP_JDK, workplace);
      case DEFLATE_ALL ->
          GzipCeiling.open(Step.COMPRESS, cores, CompressionCodec.GZIP_JDK, workplace);
      case INFLATE_1 -> GzipCeiling.open(Step.DECOMPRESS, 1, CompressionCodec.GZIP_JDK, workplace);
      case INFLATE_ALL ->
          GzipCeiling.open(Step.DECOMPRESS, cores, CompressionCodec.GZIP_JDK, workplace);
      case GZIP_ALL -> GzipCeiling.open(Step.BOTH, cores, CompressionCodec.GZIP_JDK, workplace);
      case GZIP_INTEL_ALL ->
          GzipCeiling.open(Step.BOTH, cores, CompressionCodec.GZIP_INTEL, workplace);
      case SHA_256 -> DigestCeiling.sha256(workplace);
      case CRC_32C -> DigestCeiling.crc32c(workplace);
      case PING_PONG -> new PingPongCeiling();
    };
  }

  @Override
  public void prepare() {
    parts.forEach(Part::prepare);
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    parts.get(worker).run(operation);
  }

  @Override
  public Outcome outcome() {
    return outcome;
  }

  @Override
  public void check(int operation) throws IOException {
    // With several parts each did the operation of its own number.
    parts.get(operation % parts.size()).check(operation);
  }

  @Override
  public void close() throws IOException {
    closeAll(parts);
  }

  /** Closes each of them, whatever becomes of the others; fails as the last that fails. */
  private static void closeAll(Collection<Part> parts) throws IOException {
    IOException failure = null;
    for (Part part : parts) {
      try {
        part.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
