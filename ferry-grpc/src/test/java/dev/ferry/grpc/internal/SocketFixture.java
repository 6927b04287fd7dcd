package dev.ferry.grpc.internal;

import dev.ferry.core.CarrierContract;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import java.util.function.IntFunction;

/** A server and a client of it over a real socket. */
final class SocketFixture implements CarrierContract.Fixture {
  private final GrpcFilesServer server;
  private final GrpcCarrier carrier;

  SocketFixture(FileStore store, Method client, Method server) throws FerryException {
    this(store, MethodSetup.of(client), MethodSetup.of(server));
  }

  SocketFixture(FileStore store, MethodSetup<?> client, MethodSetup<?> server)
      throws FerryException {
    this(
        GrpcFilesServer.start(store, "127.0.0.1", 0, server),
        port -> GrpcCarrier.connect("127.0.0.1", port, client));
  }

  private SocketFixture(GrpcFilesServer server, IntFunction<GrpcCarrier> client) {
    this.server = server;
    this.carrier = client.apply(server.port());
  }

  /** With a client and a server of any kind. */
  static SocketFixture of(FileStore store, End.Pair ends) throws FerryException {
    return new SocketFixture(ends.serve(store), ends::connect);
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
