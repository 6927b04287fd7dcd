package dev.ferry.suites.calls;

import dev.ferry.calls.CallClient;
import dev.ferry.http.HttpProtocol;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import java.net.http.HttpClient;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The callers of one kind of call. Each marks its steps.
 *
 * @param <Q> the request
 * @param <V> the visitor of the response
 */
final class Callers<Q, V> {
  private final Clients clients;
  private final SmallCall<Q, V> call;

  Callers(Clients clients, SmallCall<Q, V> call) {
    this.clients = clients;
    this.call = call;
  }

  /** The clients of these callers. */
  Clients clients() {
    return clients;
  }

  private Caller<Q, V> marked(Caller<Q, V> caller) {
    return (request, visitor) -> {
      caller.call(request, visitor);
      clients.end(Steps.ANSWER);
    };
  }

  Caller<Q, V> stockKept() {
    return kept(clients.stock());
  }

  Caller<Q, V> stockFresh() {
    return freshChannel(clients::stock);
  }

  Caller<Q, V> tunedKept() {
    return kept(clients.tuned());
  }

  Caller<Q, V> tunedFresh() {
    return freshChannel(clients::tuned);
  }

  private Caller<Q, V> kept(ManagedChannel channel) {
    return over(channel, false).closing(channel::shutdownNow);
  }

  private Caller<Q, V> freshChannel(Supplier<ManagedChannel> maker) {
    return (request, visitor) -> {
      ManagedChannel channel = maker.get();
      clients.end(Steps.BUILD);
      try {
        over(channel, true).call(request, visitor);
      } finally {
        Clients.close(channel);
      }
      clients.end(Steps.CLOSE);
    };
  }

  private Caller<Q, V> over(ManagedChannel channel, boolean fresh) {
    return marked(call.over(ClientInterceptors.intercept(channel, clients.tracer(fresh))));
  }

  private Caller<Q, V> kept(CallClient client) {
    return marked(call.over(client)).closing(client::close);
  }

  Caller<Q, V> mappedKept() {
    return over(clients.jdk(HttpClient.Version.HTTP_1_1, null));
  }

  Caller<Q, V> mappedFresh() {
    return mappedFresh(null, () -> {});
  }

  /** The client is new, but not the threads that its callbacks run on. */
  Caller<Q, V> mappedFreshSharingThreads() {
    ExecutorService executor = Executors.newCachedThreadPool();
    return mappedFresh(executor, executor::shutdownNow);
  }

  private Caller<Q, V> mappedFresh(@Nullable Executor executor, Runnable close) {
    Caller<Q, V> caller =
        (request, visitor) -> {
          HttpClient client = clients.jdk(HttpClient.Version.HTTP_1_1, executor);
          clients.end(Steps.BUILD);
          over(client).call(request, visitor);
          clients.close(client);
        };
    return caller.closing(close);
  }

  private Caller<Q, V> over(HttpClient client) {
    return marked(call.over(clients.mapped(client)));
  }

  Caller<Q, V> okKept() {
    return kept(clients.okHttp(HttpProtocol.HTTP_1_1, false));
  }

  Caller<Q, V> okFresh() {
    return (request, visitor) -> {
      try (CallClient client = clients.okHttp(HttpProtocol.HTTP_1_1, true)) {
        clients.end(Steps.BUILD);
        marked(call.over(client)).call(request, visitor);
      }
      clients.end(Steps.CLOSE);
    };
  }

  /** There is no client that could be made or closed. */
  Caller<Q, V> urlFresh() {
    return kept(clients.url());
  }
}
