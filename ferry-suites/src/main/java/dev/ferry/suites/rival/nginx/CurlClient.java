package dev.ferry.suites.rival.nginx;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.suite.ProgramOutput;
import dev.ferry.suites.rival.FerryRoutes;
import dev.ferry.suites.rival.Programs;
import dev.ferry.suites.rival.TransferClient;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A curl for each operation; its start is part of the operation. For names of the lab's own making,
 * which need no encoding in a URL.
 */
public record CurlClient(Path curl, String base) implements TransferClient {
  /** What curl prints last: status and bytes of both bodies as they were on the wire. */
  private static final String FIGURES = "figures %{http_code} %{size_download} %{size_upload}\\n";

  /**
   * A client of a server in plain text.
   *
   * @throws IOException if curl is not installed
   */
  public static CurlClient connect(String host, int port) throws IOException {
    Path curl =
        Programs.find("curl")
            .orElseThrow(() -> new IOException("no curl; " + NginxServer.HOW_TO_INSTALL));
    return new CurlClient(curl, "http://" + host + ":" + port + FerryRoutes.FILES);
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    // As the others do: under a temporary name first, so that half a file never looks whole.
    Path temporary = target.resolveSibling(target.getFileName() + ".part");
    List<String> arguments = new ArrayList<>(List.of("-o", temporary.toString()));
    if (options.gzip()) {
      arguments.add("--compressed");
    }
    try {
      try {
        Result result = run(path, arguments, options.timeout());
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        return result.transfer(path, target, result.downloaded());
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    if (options.gzip()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "curl and nginx have no compressed upload");
    }
    try {
      // Without it curl waits for a 100 before it sends.
      Result result =
          run(path, List.of("-T", source.toString(), "-H", "Expect:"), options.timeout());
      return result.transfer(path, source, result.uploaded());
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  private Result run(StorePath path, List<String> arguments, @Nullable Duration timeout)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(curl.toString(), "-q", "-sS", "--http1.1"));
    command.addAll(List.of("--noproxy", "*", "-D", "-", "-w", FIGURES));
    if (timeout != null) {
      command.addAll(List.of("--max-time", String.valueOf(timeout.toMillis() / 1e3)));
    }
    command.addAll(arguments);
    command.add(base + path.value());
    try {
      ProgramOutput ended = ProgramOutput.of(command, "");
      return Result.parse(ended.exitCode(), ended.text(), path.value());
    } catch (InterruptedIOException e) {
      throw new FerryException(ErrorKind.CANCELLED, path + ": cancelled", e);
    }
  }

  /** What curl printed: the head of the response, and its own figures. */
  private record Result(String protocol, String encoding, long downloaded, long uploaded) {
    static Result parse(int exit, String text, String name) throws FerryException {
      List<String> lines = text.lines().toList();
      Optional<String[]> figures =
          lines.stream()
              .filter(l -> l.startsWith("figures "))
              .map(l -> l.split(" ", -1))
              .findFirst();
      if (exit != 0 || figures.isEmpty()) {
        String said = lines.stream().filter(l -> l.startsWith("curl:")).findFirst().orElse("");
        throw new FerryException(
            ErrorKind.UNAVAILABLE, name + ": curl ended with " + exit + " " + said);
      }
      int status = Integer.parseInt(figures.get()[1]);
      if (status < 200 || status >= 300) {
        throw FerryRoutes.refused(name, status);
      }
      String protocol = lines.get(0).split(" ", 2)[0].toLowerCase(Locale.ROOT);
      String coding = "content-encoding: ";
      String encoding =
          lines.stream()
              .map(l -> l.toLowerCase(Locale.ROOT))
              .filter(l -> l.startsWith(coding))
              .map(l -> l.substring(coding.length()).strip())
              .findFirst()
              .orElse("identity");
      return new Result(
          protocol, encoding, Long.parseLong(figures.get()[2]), Long.parseLong(figures.get()[3]));
    }

    Transfer transfer(StorePath path, Path file, long wireBytes) throws IOException {
      FileFacts facts =
          FileFacts.of(path.value(), Files.readAttributes(file, BasicFileAttributes.class));
      return new Transfer(facts, wireBytes, protocol, encoding);
    }
  }

  @Override
  public void close() {}
}
