package dev.ferry.cli.client;

import dev.ferry.cli.client.FailureAdvice.Arrived;
import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.program.Refusal;
import dev.ferry.cli.program.TerminalLine;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.RepeatedCall;
import dev.ferry.core.local.StreamedDownload;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.channels.WritableByteChannel;

/**
 * Writes files of a server to standard output, and nothing else.
 *
 * @param server the server
 * @param flags the options of each transfer
 */
record OutputStreaming(ServerCalls server, TransferFlags flags, OutputFlags output) {
  /** The exit code that a shell reports for a program whose output was closed by its reader. */
  private static final int OUTPUT_CLOSED = 141;

  /** Writes one file. Returns the exit code. */
  int write(StorePath path) throws FerryException {
    // A bar between the lines of a file would be in the way.
    try (ProgressDisplay progress =
        TerminalLine.isOutputTerminal() ? ProgressDisplay.none() : output.progress(path.value())) {
      TransferOptions options = flags.options(progress);
      WritableByteChannel out = new FileOutputStream(FileDescriptor.out).getChannel();
      StreamedDownload download = new StreamedDownload(path, out, "standard output", options);
      FileFacts facts;
      try {
        facts =
            server
                .transfer(
                    progress,
                    "",
                    () -> Arrived.PASSED_ON,
                    (carriers, retries) ->
                        RepeatedCall.begin(carriers, retries, options.timeout())
                            .run((carrier, left) -> download.attempt(carrier), download::written))
                .facts();
      } catch (FerryException e) {
        if (download.outClosed()) {
          return OUTPUT_CLOSED;
        }
        throw e;
      }
      progress.close();
      try {
        download.verify();
      } catch (FerryException e) {
        throw new Refusal(e.kind(), String.valueOf(e.getMessage()));
      }
      output.detail(
          path + ": " + facts.size() + " bytes, " + TransferSummary.digests(facts) + "verified");
    }
    return 0;
  }
}
