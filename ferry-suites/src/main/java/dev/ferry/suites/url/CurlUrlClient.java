package dev.ferry.suites.url;

import dev.ferry.lab.suite.ProgramOutput;
import dev.ferry.suites.rival.Programs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A curl for each download; its start is part of the download. */
final class CurlUrlClient implements UrlClient {
  private static final String PROGRAM = "curl";

  /** What curl prints when it has ended well, for instance {@code 1.1}. */
  private static final String VERSION = "%{http_version}";

  private final Path program;
  private final boolean http2;

  CurlUrlClient(boolean http2) throws IOException {
    this.program = Programs.find(PROGRAM).orElseThrow(() -> new IOException("no curl on the PATH"));
    this.http2 = http2;
  }

  /** Returns why it cannot run here, with a remedy; null if it can. */
  static @Nullable String obstacle(boolean http2) {
    Optional<Path> program = Programs.find(PROGRAM);
    if (program.isEmpty()) {
      return "no curl; install it, or leave its row out";
    }
    try {
      return http2 && !output(List.of(program.get().toString(), "-q", "-V"), "").contains(" HTTP2")
          ? "this curl does not support HTTP/2; install one that does, or leave its row out"
          : null;
    } catch (IOException e) {
      return "curl does not start here (" + e.getMessage() + "); leave its row out";
    }
  }

  /**
   * Returns a call of curl with no settings of the user: neither its file nor proxies. It reads the
   * address from its standard input, since everyone on the machine may see its arguments. Brackets
   * in the address have no meaning ({@code -g}).
   */
  static List<String> command(Path program, boolean http2, Path target) {
    return List.of(
        program.toString(),
        "-q",
        "-sSfLg",
        http2 ? "--http2" : "--http1.1",
        "--noproxy",
        "*",
        "-w",
        VERSION,
        "-o",
        target.toString(),
        "-K",
        "-");
  }

  @Override
  public String get(URI url, Path target) throws IOException {
    try {
      // No character of a URI has a meaning between these quotation marks.
      String version = output(command(program, http2, target), "url = \"" + url + "\"\n");
      return UrlClients.protocol(version.equals("2"));
    } catch (IOException e) {
      throw new IOException(url + ": " + e.getMessage(), e);
    }
  }

  /** Returns what curl printed. */
  private static String output(List<String> command, String input) throws IOException {
    ProgramOutput ended = ProgramOutput.of(command, input);
    String said = ended.text().strip();
    if (ended.exitCode() != 0) {
      throw new IOException("curl ended with " + ended.exitCode() + " " + said);
    }
    return said;
  }

  @Override
  public void close() {}
}
