package dev.ferry.lab.ceiling;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.lab.ceiling.GzipCeiling.Step;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of one ceiling on a file, again and again, in three steps of which only the middle
 * one is timed. Used by one thread at a time.
 */
public interface CeilingWork extends AutoCloseable {
  /** Makes ready for one operation. */
  void prepare();

  /** The operation itself; it may be repeated before the check. */
  void run() throws IOException;

  /**
   * Compares what all operations since {@link #prepare} left with what they should have, and
   * deletes it; in memory it is what the last one left.
   *
   * @throws IOException where they differ, with a line that says how
   */
  void check() throws IOException;

  /** Stops threads, closes connections and releases what is native. */
  @Override
  void close() throws IOException;

  /**
   * Closes each of them, whatever becomes of the others.
   *
   * @throws IOException the last failure
   */
  static void closeAll(Collection<CeilingWork> works) throws IOException {
    IOException failure = null;
    for (CeilingWork work : works) {
      try {
        work.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Starts what a ceiling needs, in this process.
   *
   * @param load how often an operation does the work, and how often at once; null for once
   * @param workplace with a source of the load's size
   * @throws IOException where it does not start; nothing is left running then
   */
  static CeilingWork open(CeilingName name, @Nullable Load load, Workplace workplace)
      throws IOException {
    return load == null ? open(name, 0, workplace) : LoadCeiling.open(name, load, workplace);
  }

  /**
   * Starts what one work needs.
   *
   * @param work number of this one among those at the same time
   */
  static CeilingWork open(CeilingName name, int work, Workplace workplace) throws IOException {
    int cores = Runtime.getRuntime().availableProcessors();
    return switch (name) {
      case SOCKET_DOWNLOAD -> SocketCeiling.open(Direction.DOWNLOAD, false, work, workplace);
      case SOCKET_DOWNLOAD_TRANSFER ->
          SocketCeiling.open(Direction.DOWNLOAD, true, work, workplace);
      case SOCKET_UPLOAD -> SocketCeiling.open(Direction.UPLOAD, false, work, workplace);
      case SOCKET_UPLOAD_TRANSFER -> SocketCeiling.open(Direction.UPLOAD, true, work, workplace);
      case FILE_WRITE -> FileWriteCeiling.open(work, workplace);
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
      case PING_PONG -> PingPongCeiling.open();
    };
  }
}
