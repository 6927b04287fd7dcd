package dev.ferry.bench;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.suites.url.GrpcAddress;
import dev.ferry.suites.url.GrpcRequest;
import dev.ferry.suites.url.GrpcSuite;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The method of {@code --grpc}. It is called once before the run. */
final class GrpcTarget implements Target {
  private final GrpcAddress address;
  private final LoadLimit limit;

  /** The request, which forks read. */
  private final Path file;

  private final long bytes;

  private GrpcTarget(GrpcAddress address, LoadLimit limit, Path file, long bytes) {
    this.address = address;
    this.limit = limit;
    this.file = file;
    this.bytes = bytes;
    // An interrupt may end the process before close was called.
    file.toFile().deleteOnExit();
  }

  /**
   * Makes the request, and calls the method.
   *
   * @param message the request in JSON
   * @param owned whether the user said that the server may be loaded
   * @param workFolder where the request is kept until {@link #close}
   */
  static GrpcTarget call(GrpcAddress address, String message, boolean owned, Path workFolder)
      throws LabException {
    LoadLimit limit = new LoadLimit("--grpc", address.toString(), owned);
    try {
      limit.add(address.host());
    } catch (UnknownHostException e) {
      throw LabException.failure("--grpc: the host " + address.host() + " is not known", e);
    }
    GrpcRequest request = GrpcRequest.of(address, message);
    try {
      Path file = Files.createTempFile(workFolder, "ferry-grpc-", ".request");
      Files.write(file, request.message().toByteArray());
      return new GrpcTarget(
          address, limit, file, request.message().size() + request.responseBytes());
    } catch (IOException e) {
      throw LabException.failure(
          "work folder " + workFolder + " cannot be written; give --work-dir another one", e);
    }
  }

  @Override
  public Suite suite(@Nullable Duration time) {
    return new GrpcSuite(address, limit.bytesPerSecond(time), file);
  }

  @Override
  public void requireAllowed(RunPlan plan, Settings profile) throws LabException {
    limit.requireAllowed(plan, profile, bytes);
  }

  @Override
  public @Nullable Path file() {
    return null;
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The system's temporary folder is cleaned by others.
      return;
    }
  }
}
