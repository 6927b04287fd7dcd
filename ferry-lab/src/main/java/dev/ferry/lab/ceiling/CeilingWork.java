package dev.ferry.lab.ceiling;

import dev.ferry.lab.ceiling.GzipCeiling.Step;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.suite.Direction;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.pack.PackCodec;
import java.io.IOException;

/**
 * Does the work of one ceiling on the run's file, again and again, in three steps of which only the
 * middle one is timed. Used by one thread.
 */
public interface CeilingWork extends AutoCloseable {
  /** Makes ready for one operation. */
  void prepare();

  /** The operation itself. */
  void run() throws IOException;

  /**
   * Compares what the operation left with what it should have, and deletes it.
   *
   * @throws IOException where they differ, with a line that says how
   */
  void check() throws IOException;

  /** Stops threads, closes connections and releases what is native. */
  @Override
  void close() throws IOException;

  /**
   * Starts what a ceiling needs, in this process.
   *
   * @throws IOException where it does not start; nothing is left running then
   */
  static CeilingWork open(CeilingName name, Workplace workplace) throws IOException {
    int cores = Runtime.getRuntime().availableProcessors();
    return switch (name) {
      case SOCKET_DOWNLOAD -> SocketCeiling.open(Direction.DOWNLOAD, false, workplace);
      case SOCKET_DOWNLOAD_TRANSFER -> SocketCeiling.open(Direction.DOWNLOAD, true, workplace);
      case SOCKET_UPLOAD -> SocketCeiling.open(Direction.UPLOAD, false, workplace);
      case SOCKET_UPLOAD_TRANSFER -> SocketCeiling.open(Direction.UPLOAD, true, workplace);
      case FILE_WRITE -> FileWriteCeiling.open(workplace);
      case FILE_READ -> new FileReadCeiling(workplace);
      case DEFLATE_1 -> GzipCeiling.open(Step.PACK, 1, PackCodec.GZIP_JDK, workplace);
      case DEFLATE_ALL -> GzipCeiling.open(Step.PACK, cores, PackCodec.GZIP_JDK, workplace);
      case INFLATE_1 -> GzipCeiling.open(Step.UNPACK, 1, PackCodec.GZIP_JDK, workplace);
      case INFLATE_ALL -> GzipCeiling.open(Step.UNPACK, cores, PackCodec.GZIP_JDK, workplace);
      case GZIP_ALL -> GzipCeiling.open(Step.BOTH, cores, PackCodec.GZIP_JDK, workplace);
      case GZIP_INTEL_ALL -> GzipCeiling.open(Step.BOTH, cores, PackCodec.GZIP_INTEL, workplace);
      case SHA_256 -> DigestCeiling.sha256(workplace);
      case CRC_32C -> DigestCeiling.crc32c(workplace);
    };
  }
}
