package dev.ferry.grpc.internal.interop;

import dev.ferry.core.FerryException;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.GrpcFilesServer;
import dev.ferry.grpc.internal.Method;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** A Ferry server of every method over one folder. */
final class FerryServers implements AutoCloseable {
  private final Map<Method, GrpcFilesServer> servers = new EnumMap<>(Method.class);

  FerryServers(Path folder) throws FerryException {
    for (Method method : Method.values()) {
      servers.put(
          method, GrpcFilesServer.start(LocalFileStore.open(folder), "127.0.0.1", 0, method));
    }
  }

  int port(Method method) {
    return Objects.requireNonNull(servers.get(method)).port();
  }

  @Override
  public void close() {
    servers.values().forEach(GrpcFilesServer::close);
  }
}
