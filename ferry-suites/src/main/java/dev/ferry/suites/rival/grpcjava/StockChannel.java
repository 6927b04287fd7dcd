package dev.ferry.suites.rival.grpcjava;

import dev.ferry.grpc.internal.transport.EventLoops;
import dev.ferry.grpc.internal.transport.Shutdown;
import dev.ferry.grpc.internal.transport.Transport;
import io.grpc.Codec;
import io.grpc.ManagedChannel;

/** A channel as grpc-java's documentation builds one, with event loops of its own. Thread-safe. */
public final class StockChannel implements AutoCloseable {
  /** grpc-java as it comes. */
  static final Transport TRANSPORT = new Transport.Stock(true, new Codec.Gzip());

  private final EventLoops loops = new EventLoops("stock-client", TRANSPORT.threads());
  private final ManagedChannel channel;

  /** Connects, lazily, in plain text. */
  public StockChannel(String host, int port) {
    channel = TRANSPORT.connect(host, port, loops).build();
  }

  /** For stubs; it is closed with this. */
  public ManagedChannel channel() {
    return channel;
  }

  /** Cuts running calls. */
  @Override
  public void close() {
    Shutdown.now(channel);
    loops.close();
  }
}
