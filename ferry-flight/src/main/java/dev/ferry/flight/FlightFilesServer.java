package dev.ferry.flight;

import dev.ferry.core.FileStore;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.Location;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** A plaintext Flight server for the files of a store. Thread-safe. */
final class FlightFilesServer implements AutoCloseable {
  /** The maximum time in seconds for ended calls to release their buffers. */
  private static final int RELEASE_SECONDS = 10;

  private final BufferAllocator allocator = new RootAllocator();

  /** Flight would create an equal pool but would not wait for its termination. */
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private final FlightServer server;

  private FlightFilesServer(FileStore store, String host, FlightMethod method, int batchSize) {
    server =
        FlightServer.builder(
                allocator,
                Location.forGrpcInsecure(host, 0),
                new FilesProducer(store, new FileBatches(method, allocator, batchSize), threads))
            .executor(threads)
            .build();
  }

  /**
   * Starts a server on a free port.
   *
   * @param batchSize the size of a download batch in bytes
   * @throws IOException if it does not start; nothing keeps running then
   */
  static FlightFilesServer start(FileStore store, String host, FlightMethod method, int batchSize)
      throws IOException {
    FlightFilesServer files = new FlightFilesServer(store, host, method, batchSize);
    try {
      files.server.start();
      return files;
    } catch (IOException e) {
      files.close();
      throw e;
    }
  }

  /** Returns the port on which it listens. */
  int port() {
    return server.getPort();
  }

  /** Stops the server. Running calls are cancelled after three seconds. */
  @Override
  public void close() {
    try {
      server.close();
      threads.shutdown();
      boolean unused = threads.awaitTermination(RELEASE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.shutdownNow();
    // Throws, with the number of bytes, if a buffer was not released.
    allocator.close();
  }
}
