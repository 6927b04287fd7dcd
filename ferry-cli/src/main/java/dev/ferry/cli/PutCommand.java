package dev.ferry.cli;

import dev.ferry.cli.program.StopsOnInterrupt;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Uploads a local file to a server. */
@Command(
    name = "put",
    description = {
      "Copies a local file to a server.",
      "It appears there under its name when it is complete and checked; after a failure or Ctrl-C"
          + " nothing is left of it. After a lost connection the upload begins again (--retries),"
          + " unless the file has arrived."
    })
final class PutCommand implements Callable<Integer>, StopsOnInterrupt {
  @Spec private CommandSpec spec;
  @Mixin private ServerOptions server;
  @Mixin private TransferFlags flags;

  @Parameters(index = "0", paramLabel = "FILE", description = "The local file.")
  private Path file;

  @Parameters(
      index = "1",
      paramLabel = "PATH",
      arity = "0..1",
      description =
          "Its path on the server; one that ends with '/' is a folder to put it in (default: the"
              + " file's own name).")
  private @Nullable String path;

  @Option(
      names = "--create-only",
      description = "Fail where the server has a file of that name, instead of replacing it.")
  private boolean createOnly;

  @Option(
      names = "--parents",
      description = "Make the folders of PATH that the server does not have.")
  private boolean parents;

  /** Whether the server may have stored the file of an attempt that failed. */
  private boolean unanswered;

  @SuppressWarnings("NullAway.Init") // picocli injects all that is not nullable
  PutCommand() {}

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public Integer call() throws Exception {
    requireFile();
    String given = path == null ? "" : path;
    StorePath target =
        server.filePath(
            given.isEmpty() || given.endsWith("/") ? given + file.getFileName() : given);
    try (ProgressDisplay progress = ProgressDisplay.open(spec, target.value())) {
      var options = flags.options(progress).withCreateOnly(createOnly).withMakeParents(parents);
      Stopwatch stopwatch = Stopwatch.start();
      Transfer transfer =
          server.call(
              progress, options.timeout(), carrier -> send(carrier, target, options, stopwatch));
      progress.close();
      spec.commandLine()
          .getOut()
          .println(Summary.of(file + " -> " + target, transfer, stopwatch, server.carrier()));
    }
    return 0;
  }

  /** One attempt. */
  private Transfer send(
      Carrier carrier, StorePath target, TransferOptions options, Stopwatch stopwatch)
      throws FerryException {
    carrier.limitCalls(options);
    if (unanswered) {
      FileFacts stored = stored(carrier, target, options.digest());
      if (stored != null) {
        return arrived(stored);
      }
    }
    new UploadCheck(carrier, options.create()).require(target);
    Duration timeout = options.timeout();
    Duration left =
        timeout == null ? null : timeout.minusMillis((long) (1000 * stopwatch.seconds()));
    try {
      return carrier.upload(file, target, options.withTimeout(left));
    } catch (FerryException e) {
      // The server may have finished the upload before this one only now.
      boolean taken = unanswered && e.kind() == ErrorKind.ALREADY_EXISTS;
      FileFacts stored = taken ? stored(carrier, target, options.digest()) : null;
      if (stored != null) {
        return arrived(stored);
      }
      unanswered = true;
      throw e;
    }
  }

  private static Transfer arrived(FileFacts stored) {
    return new Transfer(stored, stored.size(), "unknown", "unknown");
  }

  /**
   * Returns the facts of the server's file if it equals the local one, with the digest that shows
   * it; null if it differs, does not exist, or may not be read.
   */
  private @Nullable FileFacts stored(
      Carrier carrier, StorePath target, Digest.@Nullable Algorithm wanted) throws FerryException {
    Digest.Algorithm algorithm = wanted == null ? Digest.Algorithm.CRC32C : wanted;
    try {
      FileFacts facts = carrier.stat(target, false);
      if (facts.directory() || facts.size() != Files.size(file)) {
        return null;
      }
      facts = carrier.stat(target, algorithm);
      Digest digest = facts.digest(algorithm) == null ? facts.sha256() : facts.digest(algorithm);
      return digest != null && digest.equals(digest.algorithm().ofFile(file))
          ? facts.withoutDigests().withDigest(digest)
          : null;
    } catch (IOException e) {
      FerryException failure = FerryException.of(e, file.toString());
      return switch (failure.kind()) {
        case NOT_FOUND, PERMISSION_DENIED, INVALID_PATH -> null;
        default -> throw failure;
      };
    }
  }

  private void requireFile() throws FerryException {
    try {
      FileSource.open(file).close();
    } catch (FerryException e) {
      String remedy =
          e.kind() == ErrorKind.PERMISSION_DENIED ? "check its permissions" : "name a file to send";
      throw new FerryException(e.kind(), e.getMessage() + "; " + remedy, e);
    }
  }
}
