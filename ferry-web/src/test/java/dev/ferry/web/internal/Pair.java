package dev.ferry.web.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.CarrierContract;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.wire.ServerSettings;
import java.util.function.IntFunction;

/** A server and a client of it, for the carrier contract. */
final class Pair implements CarrierContract.Fixture {
  private final WebFilesServer server;
  private final Carrier carrier;

  Pair(FileStore store, ServerSettings settings, IntFunction<Carrier> connect)
      throws FerryException {
    server = WebFilesServer.start(store, "127.0.0.1", 0, settings);
    carrier = connect.apply(server.port());
  }

  @Override
  public Carrier carrier() {
    return carrier;
  }

  @Override
  public void killServer() {
    server.closeNow();
  }

  @Override
  public void close() {
    carrier.close();
    server.close();
  }
}
