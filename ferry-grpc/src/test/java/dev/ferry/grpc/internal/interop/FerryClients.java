package dev.ferry.grpc.internal.interop;

import dev.ferry.grpc.internal.GrpcCarrier;
import dev.ferry.grpc.internal.Method;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** A Ferry client of every method to one port. */
final class FerryClients implements AutoCloseable {
  private final Map<Method, GrpcCarrier> clients = new EnumMap<>(Method.class);

  FerryClients(int port) {
    for (Method method : Method.values()) {
      clients.put(method, GrpcCarrier.connect("127.0.0.1", port, method));
    }
  }

  GrpcCarrier of(Method method) {
    return Objects.requireNonNull(clients.get(method));
  }

  @Override
  public void close() {
    clients.values().forEach(GrpcCarrier::close);
  }
}
