package example;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.grpc.GrpcFiles;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Sends a file to a server and fetches it again.
 *
 * <p>Only the line that connects knows the protocol; {@code HttpFiles.connect} in its place does
 * the same over HTTP.
 */
public final class MoveOneFile {
  private final PrintStream out;

  /** Prints what happens to {@code out}. */
  public MoveOneFile(PrintStream out) {
    this.out = out;
  }

  /**
   * Uploads {@code file} as {@code inbox/NAME}, and downloads it to {@code copy}.
   *
   * @return whether both succeeded
   */
  public boolean run(String host, int port, Path file, Path copy) {
    try (Carrier carrier = GrpcFiles.connect(host, port)) {
      StorePath path = StorePath.parse("inbox/" + file.getFileName());
      TransferOptions options =
          TransferOptions.DEFAULT
              .withTimeout(Duration.ofMinutes(5))
              .withMakeParents(true)
              // Called on a network thread: it must return at once.
              .withProgress((done, total) -> out.println(done + " of " + total));

      Transfer sent = carrier.upload(file, path, options.withCreateOnly(true));
      out.println("sent " + sent.facts().size() + " bytes over " + sent.protocol());

      Transfer fetched = carrier.download(path, copy, options);
      out.println("fetched it, crc32c " + fetched.facts().crc32c());
      return true;
    } catch (FerryException e) {
      // After a failure nothing is left at the receiving end, so trying again is always safe.
      switch (e.kind()) {
        case ALREADY_EXISTS -> out.println("choose another name: " + e.getMessage());
        case NOT_FOUND -> out.println("not there: " + e.getMessage());
        case UNAVAILABLE, DEADLINE_EXCEEDED -> out.println("try again later: " + e.getMessage());
        default -> out.println(e.kind() + ": " + e.getMessage());
      }
      return false;
    }
  }
}
