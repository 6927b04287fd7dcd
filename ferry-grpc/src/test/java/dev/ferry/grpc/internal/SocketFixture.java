package dev.ferry.grpc.internal;

import dev.ferry.core.CarrierContract;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerSettings;
import org.jspecify.annotations.Nullable;

/** A server and a client of it over a real socket. */
final class SocketFixture implements CarrierContract.Fixture {
  private final GrpcFilesServer server;
  private final GrpcCarrier carrier;

  SocketFixture(FileStore store) throws FerryException {
    this(store, ServerSettings.defaults(), null);
  }

  SocketFixture(FileStore store, ServerSettings settings, @Nullable ClientTls tls)
      throws FerryException {
    server = GrpcFilesServer.start(store, "127.0.0.1", 0, settings);
    carrier = GrpcCarrier.connect("127.0.0.1", server.port(), GrpcSetup.ofClient(), tls, null);
  }

  GrpcFilesServer server() {
    return server;
  }

  @Override
  public GrpcCarrier carrier() {
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
