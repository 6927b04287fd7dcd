package dev.ferry.cli.client;

import dev.ferry.cli.output.JsonLines;
import dev.ferry.cli.output.Times;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Crc32c;
import dev.ferry.core.Digest;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.PlainText;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the facts of a file or directory of a server. */
@Command(
    name = "stat",
    description = "Shows the facts of a file or folder of a server.",
    footer = {
      "",
      "Examples:",
      "  ferry stat 2026/taxi.csv",
      "  ferry stat --digest --json 2026/taxi.csv"
    })
public final class StatCommand extends ServerCommand {
  @Parameters(paramLabel = "PATH", description = "The path on the server.")
  private String path;

  @Option(names = "--digest", description = "Make the server read the file, and show its SHA-256.")
  private boolean digest;

  @Override
  public Integer call() throws Exception {
    StorePath of = arguments.nonRootPath(path);
    FileFacts facts =
        server.call(
            carrier -> {
              FileFacts known = carrier.stat(of, null, CallLimits.DEFAULT);
              return digest && known.isFile()
                  ? carrier.readNow(of, known.size(), Digest.Algorithm.SHA256, CallLimits.DEFAULT)
                  : known;
            });
    PrintWriter out = spec.commandLine().getOut();
    if (output.json()) {
      out.println(JsonLines.facts(facts));
      return 0;
    }
    out.println("path      " + PlainText.of(facts.name()));
    LeftOut leftOut = facts.leftOut();
    String file = Boolean.TRUE.equals(facts.executable()) ? "file, executable" : "file";
    String other = leftOut == null ? file : "other: " + leftOut.reason();
    out.println("type      " + (facts.directory() ? "folder" : other));
    out.println("modified  " + Times.utc(facts.lastModified()));
    if (facts.isFile()) {
      Sha256 known = facts.sha256();
      Crc32c crc = facts.crc32c();
      out.println("bytes     " + facts.size());
      if (crc != null) {
        out.println("crc32c    " + crc);
      }
      out.println("sha256    " + (known == null ? "not known, use --digest" : known));
    }
    return 0;
  }
}
