package dev.ferry.suites.rival.ccore;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.suites.rival.TransferClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A client on the C core of gRPC, in a Python of its own, connected from the start. It takes the
 * time of a transfer itself, and its wire bytes are those of the connection, headers and frames
 * included. Its gzip has zlib's default level, which is 6. Digests are not requested. An interrupt
 * or a transfer without an end kills the Python; commands after that fail.
 */
public final class CCoreClient implements TransferClient {
  /** Longest time of a transfer without a deadline. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** How much later than its deadline a response may come. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final CCoreProcess process;
  private OptionalLong ownNanos = OptionalLong.empty();

  private CCoreClient(CCoreProcess process) {
    this.process = process;
  }

  /**
   * Connects to a server in plain text.
   *
   * @param messages how it makes them
   * @throws IOException if it is not installed, or no server responds
   */
  public static CCoreClient connect(CCore.Messages messages, int port) throws IOException {
    return new CCoreClient(CCoreProcess.client(messages, port));
  }

  /**
   * One transfer.
   *
   * @param chunk bytes of a chunk
   * @param seconds until its deadline; null for none
   */
  private record Command(
      String command,
      String name,
      String file,
      int chunk,
      boolean gzip,
      @Nullable Double seconds) {}

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    try {
      return run("download", path, target, options);
    } catch (FerryException e) {
      // Python deletes it unless it was killed.
      deletePart(target, e);
      throw e;
    }
  }

  private static void deletePart(Path target, FerryException failure) {
    try {
      Files.deleteIfExists(target.resolveSibling(target.getFileName() + ".part"));
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    return run("upload", path, source, options);
  }

  private Transfer run(String command, StorePath path, Path file, TransferOptions options)
      throws FerryException {
    ownNanos = OptionalLong.empty();
    Duration timeout = options.timeout();
    CCoreProcess.Response response =
        process.send(
            new Command(
                command,
                path.value(),
                file.toAbsolutePath().toString(),
                options.chunkSize(),
                options.gzip(),
                timeout == null ? null : (Double) (timeout.toNanos() / 1e9)),
            path.value(),
            timeout == null ? PATIENCE : timeout.plus(GRACE));
    ownNanos = OptionalLong.of(response.nanos());
    try {
      FileFacts facts =
          new FileFacts(
              path.value(),
              response.bytes(),
              Files.getLastModifiedTime(file).toInstant(),
              false,
              null);
      return new Transfer(
          facts,
          response.wireBytes(),
          String.valueOf(response.protocol()),
          String.valueOf(response.encoding()));
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  @Override
  public OptionalLong ownNanos() {
    return ownNanos;
  }

  @Override
  public void close() {
    process.close();
  }
}
