package dev.ferry.lab.rival;

import dev.ferry.grpc.transport.EventLoops;
import dev.ferry.grpc.transport.Transport;
import io.grpc.Codec;
import io.grpc.ManagedChannel;
import java.util.concurrent.TimeUnit;

/** A channel as grpc-java's documentation builds one, with event loops of its own. Thread-safe. */
final class StockChannel implements AutoCloseable {
  /** grpc-java as it comes. */
  static final Transport TRANSPORT = new Transport.Stock(true, new Codec.Gzip());

  private static final int CLOSE_SECONDS = 3;

  private final EventLoops loops = new EventLoops("stock-client", TRANSPORT.threads());
  private final ManagedChannel channel;

  /** Connects, lazily, in plain text. */
  StockChannel(String host, int port) {
    channel = TRANSPORT.connect(host, port, loops).build();
  }

  /** For stubs; it is closed with this. */
  ManagedChannel channel() {
    return channel;
  }

  /** Cuts running calls. */
  @Override
  public void close() {
    channel.shutdownNow();
    try {
      channel.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    loops.close();
  }
}
