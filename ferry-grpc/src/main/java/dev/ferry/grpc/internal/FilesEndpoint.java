package dev.ferry.grpc.internal;

import dev.ferry.grpc.internal.message.Framing;
import dev.ferry.net.internal.CallerStores;
import dev.ferry.net.internal.DiskWorkers;
import dev.ferry.net.internal.Refusals;
import dev.ferry.net.internal.Requests;
import io.grpc.ServerServiceDefinition;
import java.util.concurrent.ExecutorService;

/**
 * The {@code Files} service over a store, for the gRPC server of another library.
 *
 * <p>Calls block on disk access on the thread on which that server invokes them. Thread-safe.
 */
public final class FilesEndpoint implements AutoCloseable {
  private final ServerServiceDefinition definition;
  private final ExecutorService blocking;
  private final GrpcSetup setup;

  /**
   * Creates the service for a transport that supports the hand-off of buffers. The transport must
   * frame messages as {@link #framing} requires, and nothing else may count the messages on it.
   *
   * @param refusals counts unreadable messages
   * @param requests all requests of the port
   */
  public FilesEndpoint(CallerStores stores, GrpcSetup setup, Refusals refusals, Requests requests) {
    this.setup = setup.batching(true);
    this.blocking = DiskWorkers.start("ferry-files-digest", stores.store());
    this.definition = new FilesService(stores, this.setup, blocking, refusals, requests).bind();
  }

  /** Returns the framing that the transport must use. */
  public Framing framing() {
    return setup.framing();
  }

  /**
   * Returns the service definition. It has the schema of the generated service and uses Ferry's own
   * messages in the streams.
   */
  public ServerServiceDefinition definition() {
    return definition;
  }

  /** Stops the threads and releases the buffers. The server must have terminated. */
  @Override
  public void close() {
    DiskWorkers.stopNow(blocking);
    setup.format().close();
  }
}
