package dev.ferry.web.internal;

import dev.ferry.grpc.internal.message.Framing;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of a port share.
 *
 * @param methods the methods by path
 * @param framing the framing of their messages
 * @param workers run long steps of a call, in the turn of its caller
 * @param remote whether the steps wait for a network, so that workers run all of them
 */
record WebService(
    Map<String, ServerMethodDefinition<?, ?>> methods,
    Framing framing,
    Function<WebHandler.Call, Executor> workers,
    boolean remote) {
  static WebService of(
      List<ServerServiceDefinition> services,
      Framing framing,
      Function<WebHandler.Call, Executor> workers,
      boolean remote) {
    Map<String, ServerMethodDefinition<?, ?>> methods =
        services.stream()
            .flatMap(service -> service.getMethods().stream())
            .collect(
                Collectors.toMap(
                    m -> "/" + m.getMethodDescriptor().getFullMethodName(), Function.identity()));
    return new WebService(methods, framing, workers, remote);
  }

  /** Returns the method of a path; null if there is none. */
  @Nullable ServerMethodDefinition<?, ?> method(String path) {
    return methods.get(path);
  }
}
