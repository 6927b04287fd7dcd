package dev.ferry.lab.ceiling;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.core.Digest;
import dev.ferry.lab.ceiling.GzipCeiling.Step;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operation of a ceiling. Each worker has its own connections and threads.
 *
 * <p>Operations may be repeated before the check. The check examines the result of each operation;
 * for in-memory operations it examines only the last result.
 */
final class CeilingOperation implements Operation {
  /** The protocol and encoding of operations that do not negotiate them. */
  static final String NONE = "none";

  private final List<Task> tasks;
  private final Outcome outcome;

  /** One part of the work of a file transfer. Used by one worker. */
  interface Task extends AutoCloseable {
    /** Prepares a sample. */
    default void prepare() {}

    /**
     * Runs an operation.
     *
     * @param operation the number of the operation in the sample
     */
    void run(int operation) throws IOException;

    /** See {@link Operation#check}. */
    void check(int operation) throws IOException;

    @Override
    default void close() throws IOException {}
  }

  private CeilingOperation(List<Task> tasks, @Nullable SocketWay way, long bytes) {
    this.tasks = tasks;
    this.outcome = new Outcome(bytes, bytes, way == null ? NONE : way.toString(), NONE);
  }

  /**
   * Starts what a ceiling needs, in this process except for the server's end of connections.
   *
   * @param load how often an operation is done and how many run concurrently; null for one
   *     operation
   * @param workplace a workplace whose source has the size of the load
   * @param port the port of a {@link MachineSuite#serve}; 0 for a server in this process
   * @throws IOException if the start fails; nothing keeps running then
   */
  static CeilingOperation open(CeilingName name, @Nullable Load load, Workplace workplace, int port)
      throws IOException {
    List<Task> tasks = new ArrayList<>();
    try {
      Direction direction = name.direction();
      SocketWay way = direction == null ? null : SocketWay.fastest(direction, workplace, port);
      for (int i = 0; i < (load == null ? 1 : load.atOnce()); i++) {
        tasks.add(
            direction == null || way == null
                ? open(name, workplace, port)
                : name.connects()
                    ? SocketCeiling.connecting(direction, way, workplace, port)
                    : SocketCeiling.open(direction, way, workplace, port));
      }
      return new CeilingOperation(
          tasks, way, load == null ? workplace.size() : load.operationBytes());
    } catch (IOException | RuntimeException e) {
      try {
        closeAll(tasks);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private static Task open(CeilingName name, Workplace workplace, int port) throws IOException {
    int cores = Runtime.getRuntime().availableProcessors();
    return switch (name) {
      case SOCKET_DOWNLOAD, SOCKET_UPLOAD, SOCKET_DOWNLOAD_NEW, SOCKET_UPLOAD_NEW ->
          throw new IllegalArgumentException(name + " has several ways");
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
      case SHA_256 -> new DigestCeiling(Digest.Algorithm.SHA256, workplace);
      case CRC_32C -> new DigestCeiling(Digest.Algorithm.CRC32C, workplace);
      case PING_PONG -> new PingPongCeiling(port);
    };
  }

  @Override
  public void prepare() {
    tasks.forEach(Task::prepare);
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    tasks.get(worker).run(operation);
  }

  @Override
  public Outcome outcome() {
    return outcome;
  }

  @Override
  public void check(int operation) throws IOException {
    // With several tasks, task {@code i} ran operation {@code i}.
    tasks.get(operation % tasks.size()).check(operation);
  }

  @Override
  public void close() throws IOException {
    closeAll(tasks);
  }

  /** Closes all tasks even if some fail. Throws the last failure. */
  static void closeAll(Collection<? extends Task> tasks) throws IOException {
    IOException failure = null;
    for (Task task : tasks) {
      try {
        task.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
