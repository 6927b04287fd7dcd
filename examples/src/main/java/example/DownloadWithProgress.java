package example;

import dev.ferry.core.FerryException;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.library.FerryClient;
import java.io.PrintStream;
import java.nio.file.Path;

/** Downloads a file, and draws a bar meanwhile. */
public final class DownloadWithProgress {
  private static final int WIDTH = 40;

  private DownloadWithProgress() {}

  /** Runs with the address of the server, the path there and the local file as arguments. */
  public static void main(String[] args) {
    try (FerryClient ferry = FerryClient.connect(args[0])) {
      Transfer copy = run(ferry, args[1], Path.of(args[2]), System.err);
      System.out.println(copy.facts().size() + " bytes, crc32c " + copy.facts().crc32c());
    } catch (FerryException e) {
      // After a failure nothing is left of the file, so trying again is safe.
      String advice =
          switch (e.kind()) {
            case NOT_FOUND -> "; look for it with 'ferry ls'";
            case UNAVAILABLE, DEADLINE_EXCEEDED -> "; try again later";
            default -> "";
          };
      System.err.println(e.getMessage() + advice);
    }
  }

  static Transfer run(FerryClient ferry, String path, Path file, PrintStream out)
      throws FerryException {
    TransferOptions.Progress bar =
        // Called on the thread that moves the bytes: it must return at once.
        (done, total) -> {
          int full = total <= 0 ? WIDTH : (int) (WIDTH * done / total);
          out.print("\r[" + "#".repeat(full) + " ".repeat(WIDTH - full) + "] " + done);
        };
    Transfer copy = ferry.with(ferry.options().withProgress(bar)).download(path, file);
    out.println();
    return copy;
  }
}
