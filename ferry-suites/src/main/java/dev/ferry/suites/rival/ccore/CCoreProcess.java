package dev.ferry.suites.rival.ccore;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.lab.model.Daemon;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.suites.files.v1.WholeFilesProto;
import dev.ferry.suites.rival.CallFailures;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs {@code ferry_peer.py}. Commands and responses are lines of JSON. It ends with
 * {@link #close}, or when this JVM ends for any reason. Used by one thread.
 */
public final class CCoreProcess implements RowServer {
  private static final String PROGRAM = "ferry_peer.py";
  private static final Duration START = Duration.ofSeconds(60);
  private static final int STOP_SECONDS = 5;

  /** Lines are ASCII, in any locale. */
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private final Process process;
  private final Writer commands;
  private final Thread errors;
  private int port;

  /** Its responses; a line without text stays there after its end. */
  private final BlockingQueue<Line> responses = new LinkedBlockingQueue<>();

  /** The last it said on standard error, which is the reason if it dies. */
  private volatile String complaint = "";

  private CCoreProcess(Process process) {
    this.process = process;
    this.commands = process.outputWriter(StandardCharsets.US_ASCII);
    this.errors = reader("errors", process.errorReader(StandardCharsets.UTF_8), this::complained);
    Thread unused =
        reader("responses", process.inputReader(StandardCharsets.US_ASCII), this::received);
  }

  /**
   * The setup of a process.
   *
   * @param role {@code client} or {@code server}
   * @param method how it makes its messages
   * @param messages the protocol, as a {@code FileDescriptorProto} in base64
   * @param root the folder that a server serves
   * @param host the address on which a server listens, and that a client calls
   * @param port the port that a client calls
   */
  private record Setup(
      String role, String method, String messages, @Nullable String root, String host, int port) {
    Setup(String role, CCore.Messages method, @Nullable String root, int port) {
      this(role, method.label(), protocol(), root, ServerHost.name(), port);
    }
  }

  /**
   * The response to a command. {@code failed} and the two fields after it describe a failure, the
   * others a success.
   *
   * @param failed why it failed; null if it did not
   * @param code the status code of gRPC, if the call had one
   * @param kind the error's name on the wire, if the peer gave one
   * @param port of the server
   * @param nanos the transfer's time by the program's own clock
   * @param bytes of the file
   * @param wireBytes on the connection, headers and frames included
   * @param protocol as negotiated
   * @param encoding that the bytes on the connection show
   * @param cpuNanos of the program
   */
  record Response(
      @Nullable String failed,
      @Nullable String code,
      @Nullable String kind,
      int port,
      long nanos,
      long bytes,
      long wireBytes,
      @Nullable String protocol,
      @Nullable String encoding,
      long cpuNanos) {}

  private record Line(@Nullable String text) {}

  private interface Reader {
    void take(@Nullable String line);
  }

  /**
   * Starts a server in plain text on a free port.
   *
   * @param messages how it makes them
   * @param root the folder that it serves: downloads and uploads as the contract has them, the
   *     latter by a temporary file that is renamed. Its gzip has zlib's default level, which is 6
   * @throws IOException if it is not installed or does not start, with its error output
   */
  public static CCoreProcess server(CCore.Messages messages, Path root) throws IOException {
    String folder = root.toAbsolutePath().toString();
    return start(new Setup("server", messages, folder, 0));
  }

  /** Starts a client that is connected to a server. */
  static CCoreProcess client(CCore.Messages messages, int port) throws IOException {
    return start(new Setup("client", messages, null, port));
  }

  private static String protocol() {
    return Base64.getEncoder()
        .encodeToString(WholeFilesProto.getDescriptor().toProto().toByteArray());
  }

  private static CCoreProcess start(Setup setup) throws IOException {
    Path python =
        CCore.find()
            .orElseThrow(() -> new IOException("no Python with gRPC; " + CCore.HOW_TO_INSTALL));
    // The program is passed as an argument, so it leaves no file. It does not run in a folder of
    // the user, because Python would import modules from there.
    CCoreProcess peer =
        new CCoreProcess(
            new ProcessBuilder(python.toString(), "-c", program())
                .directory(new File("/"))
                .start());
    try {
      peer.port = peer.send(setup, "gRPC's C core", START).port();
      return peer;
    } catch (IOException | RuntimeException e) {
      peer.close();
      throw e;
    }
  }

  private static String program() throws IOException {
    try (InputStream in = CCoreProcess.class.getResourceAsStream(PROGRAM)) {
      if (in == null) {
        throw new IOException(PROGRAM + " is not in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private Thread reader(String name, BufferedReader lines, Reader reader) {
    return Daemon.start(
        "ferry-c-core-" + name,
        () -> {
          try (lines) {
            lines.lines().forEach(reader::take);
          } catch (IOException | UncheckedIOException e) {
            // Usually because it was killed. Its last error output says more.
            if (complaint.isEmpty()) {
              complaint = "its " + name + " cannot be read: " + e.getMessage();
            }
          }
          reader.take(null);
        });
  }

  private void received(@Nullable String line) {
    responses.add(new Line(line));
  }

  private void complained(@Nullable String line) {
    if (line != null && !line.isBlank()) {
      complaint = line.strip();
    }
  }

  /**
   * Sends a command and waits for its response. If it does not respond in time, or this thread is
   * interrupted, the process is killed.
   *
   * @param name the subject of the command, for messages
   * @throws FerryException if it failed, with the kind that the peer gave
   */
  Response send(Object command, String name, Duration patience) throws FerryException {
    try {
      commands.write(JSON.writeValueAsString(command) + "\n");
      commands.flush();
    } catch (IOException e) {
      throw new FerryException(ErrorKind.UNAVAILABLE, name + ": " + ended(), e);
    }
    Line line;
    try {
      line = responses.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw FerryException.interrupted(name + ": cancelled", e);
    }
    if (line == null) {
      process.destroyForcibly();
      throw new FerryException(
          ErrorKind.DEADLINE_EXCEEDED,
          name + ": Python did not respond in " + patience.toSeconds() + " s");
    }
    if (line.text() == null) {
      responses.add(line);
      throw new FerryException(ErrorKind.UNAVAILABLE, name + ": " + ended());
    }
    return read(line.text(), name);
  }

  private static Response read(String line, String name) throws FerryException {
    Response response;
    try {
      response = JSON.readValue(line, Response.class);
    } catch (JsonProcessingException e) {
      throw new FerryException(ErrorKind.INTERNAL, name + ": Python responded '" + line + "'", e);
    }
    if (response.failed() == null) {
      return response;
    }
    if (response.code() == null) {
      throw new FerryException(ErrorKind.INTERNAL, name + ": " + response.failed());
    }
    Metadata trailers = new Metadata();
    if (response.kind() != null) {
      trailers.put(CallFailures.KIND, response.kind());
    }
    Status status =
        Status.Code.valueOf(response.code()).toStatus().withDescription(response.failed());
    throw CallFailures.of(status.asRuntimeException(trailers), name);
  }

  private String ended() {
    String exit =
        waitFor() ? "ended with exit code " + process.exitValue() : "closed its standard output";
    return "Python " + exit + (complaint.isEmpty() ? "" : ": " + complaint);
  }

  /** Waits for the end of the process and of its output. Returns whether both have ended. */
  private boolean waitFor() {
    try {
      boolean ended = process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
      if (ended) {
        errors.join(STOP_SECONDS * 1_000L);
      }
      return ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    }
  }

  /** The port on which a server listens. */
  @Override
  public int port() {
    return port;
  }

  /** Ends the process, by force if it does not end itself; a second call does nothing. */
  @Override
  public void close() {
    try {
      commands.close();
    } catch (IOException e) {
      // The process has ended before. Nothing is lost: every command was flushed and has its
      // response.
    }
    if (!waitFor()) {
      process.destroyForcibly();
      boolean unused = waitFor();
    }
  }
}
