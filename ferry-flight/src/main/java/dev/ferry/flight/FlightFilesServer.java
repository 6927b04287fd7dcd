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

/** A Flight server over the files of a store, in plain text. Thread-safe. */
final class FlightFilesServer implements AutoCloseable {
  /** Longest time that calls which have ended may still take to release their buffers. */
  private static final int RELEASE_SECONDS = 10;

  private final BufferAllocator allocator = new RootAllocator();

  /** Flight would have the same pool, and would not wait for it. */
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
   * Starts it on a free port.
   *
   * @param batchSize bytes of a batch of a download
   * @throws IOException where it does not start; nothing is left running then
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

  /** The port it listens on. */
  int port() {
    return server.getPort();
  }

  /** Stops it, which ends what is under way after three seconds. */
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
    // Fails, and names the bytes, where a buffer was not released.
    allocator.close();
  }
}
