package dev.ferry.bench;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.suites.url.GrpcAddress;
import dev.ferry.suites.url.GrpcCall;
import dev.ferry.suites.url.GrpcSuite;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The method of {@code --grpc}. It is called once before the run. If it streams, the rows have to
 * give the same bytes.
 */
final class GrpcTarget implements Target {
  private final GrpcCall call;
  private final LoadLimit limit;

  /** What forks read, and the bytes of a stream. */
  private final Path folder;

  private @Nullable Path file;
  private long bytes;
  private long messages;

  private GrpcTarget(GrpcCall call, LoadLimit limit, Path folder) {
    this.call = call;
    this.limit = limit;
    this.folder = folder;
    // An interrupt may end the process before close was called.
    folder.toFile().deleteOnExit();
  }

  /**
   * Finds the method, makes the request, and calls it.
   *
   * @param message the request in JSON
   * @param descriptors a file with the schema; null to ask the server
   * @param field the number or the name of the field that is received; null for the only one
   * @param owned whether the user said that the server may be loaded
   * @param workFolder where temporary files are kept until {@link #close}
   */
  static GrpcTarget call(
      GrpcAddress address,
      String message,
      @Nullable Path descriptors,
      @Nullable String field,
      boolean owned,
      Path workFolder)
      throws LabException {
    LoadLimit limit = new LoadLimit("--grpc", address.toString(), owned);
    try {
      limit.add(address.host());
    } catch (UnknownHostException e) {
      throw LabException.failure("--grpc: the host " + address.host() + " is not known", e);
    }
    GrpcCall call = GrpcCall.of(address, message, descriptors, field);
    try {
      GrpcTarget target =
          new GrpcTarget(call, limit, Files.createTempDirectory(workFolder, "ferry-grpc-"));
      boolean called = false;
      try {
        target.call();
        called = true;
        return target;
      } finally {
        if (!called) {
          target.close();
        }
      }
    } catch (IOException e) {
      throw LabException.failure(
          "work folder " + workFolder + " cannot be written; give --work-dir another one", e);
    }
  }

  private void call() throws LabException, IOException {
    call.save(folder);
    for (Path each : files()) {
      each.toFile().deleteOnExit();
    }
    if (call.streams()) {
      Path received = folder.resolve(call.fileName());
      received.toFile().deleteOnExit();
      GrpcCall.Responses responses = call.receive(received, limit.most());
      messages = responses.messages();
      bytes = responses.size();
      limit.requireAllowed(bytes);
      file = received;
    } else {
      bytes = call.request().size() + call.responseBytes();
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Override
  public Suite suite(@Nullable Duration time) {
    return new GrpcSuite(call, messages, limit.bytesPerSecond(time), folder);
  }

  @Override
  public void requireAllowed(RunPlan plan, Settings profile) throws LabException {
    limit.requireAllowed(plan, profile, bytes);
  }

  @Override
  public @Nullable Path file() {
    return file;
  }

  @Override
  public void close() {
    try {
      for (Path each : files()) {
        Files.delete(each);
      }
      Files.delete(folder);
    } catch (IOException e) {
      // The system's temporary folder is cleaned by others.
      return;
    }
  }
}
