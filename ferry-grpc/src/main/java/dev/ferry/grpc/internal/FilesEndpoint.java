package dev.ferry.grpc.internal;

import dev.ferry.core.FileStore;
import dev.ferry.grpc.internal.message.Framing;
import dev.ferry.net.internal.Refusals;
import io.grpc.ServerServiceDefinition;
import java.util.concurrent.ExecutorService;

/**
 * The {@code Files} service over a store, for a gRPC server of another stack than ours.
 *
 * <p>Calls block on the disk, on whichever thread that server calls them. Thread-safe.
 */
public final class FilesEndpoint implements AutoCloseable {
  private final ServerServiceDefinition definition;
  private final ExecutorService blocking;
  private final MethodSetup<?> setup;

  private <M> FilesEndpoint(FileStore store, MethodSetup<M> setup, Refusals refusals) {
    this.setup = setup;
    this.blocking = Digests.newExecutor("ferry-files-digest");
    this.definition = new FilesService<>(store, setup, blocking, refusals).bind();
  }

  /**
   * The service with the messages of a setup; of its transport nothing is used.
   *
   * @param setup one that does not {@linkplain MethodSetup#handsOff hand off}
   * @param refusals counts messages that are none
   */
  public static FilesEndpoint of(FileStore store, MethodSetup<?> setup, Refusals refusals) {
    if (setup.handsOff()) {
      throw new IllegalArgumentException(
          "ZeroCopy needs a transport that hands off; take RentedArray");
    }
    return new FilesEndpoint(store, setup, refusals);
  }

  /**
   * The service with messages for handing off, on a transport that treats them as {@link #framing}
   * says, and that nobody else counts messages on.
   *
   * @param setup one that {@linkplain MethodSetup#handsOff hands off}
   * @param refusals counts messages that are none
   */
  public static FilesEndpoint handOff(FileStore store, MethodSetup<?> setup, Refusals refusals) {
    return new FilesEndpoint(store, setup.batching(true), refusals);
  }

  /** What the transport of {@link #handOff} uses. */
  public Framing framing() {
    return setup.framing();
  }

  /** The service, with our messages in its streams and the schema of the generated one. */
  public ServerServiceDefinition definition() {
    return definition;
  }

  /** Ends the threads and releases the buffers, when the server has ended. */
  @Override
  public void close() {
    blocking.shutdownNow();
    setup.form().close();
  }
}
