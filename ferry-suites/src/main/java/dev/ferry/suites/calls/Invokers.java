package dev.ferry.suites.calls;

import dev.ferry.http.HttpProtocol;
import dev.ferry.suites.calls.service.CallClient;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import java.net.http.HttpClient;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The invokers of one kind of call. Each marks its steps.
 *
 * @param <Q> the request
 * @param <V> the visitor of the response
 */
record Invokers<Q, V>(Clients clients, SmallCall<Q, V> call) {
  private Invoker<Q, V> marked(Invoker<Q, V> invoker) {
    return (request, visitor) -> {
      invoker.call(request, visitor);
      clients.end(CallSteps.ANSWER);
    };
  }

  Invoker<Q, V> stockKept() {
    return kept(clients.stock());
  }

  Invoker<Q, V> stockFresh() {
    return freshChannel(clients::stock);
  }

  Invoker<Q, V> tunedKept() {
    return kept(clients.tuned());
  }

  Invoker<Q, V> tunedFresh() {
    return freshChannel(clients::tuned);
  }

  private Invoker<Q, V> kept(ManagedChannel channel) {
    return over(channel, false).closing(channel::shutdownNow);
  }

  private Invoker<Q, V> freshChannel(Supplier<ManagedChannel> maker) {
    return (request, visitor) -> {
      ManagedChannel channel = maker.get();
      clients.end(CallSteps.BUILD);
      try {
        over(channel, true).call(request, visitor);
      } finally {
        Clients.close(channel);
      }
      clients.end(CallSteps.CLOSE);
    };
  }

  private Invoker<Q, V> over(ManagedChannel channel, boolean fresh) {
    return marked(call.over(ClientInterceptors.intercept(channel, clients.tracer(fresh))));
  }

  private Invoker<Q, V> kept(CallClient client) {
    return marked(call.over(client)).closing(client::close);
  }

  Invoker<Q, V> mappedKept() {
    return over(clients.jdk(HttpClient.Version.HTTP_1_1, null));
  }

  Invoker<Q, V> mappedFresh() {
    return mappedFresh(null, () -> {});
  }

  /** The client is new, but not the threads that its callbacks run on. */
  Invoker<Q, V> mappedFreshSharingThreads() {
    ExecutorService executor = Executors.newCachedThreadPool();
    return mappedFresh(executor, executor::shutdownNow);
  }

  private Invoker<Q, V> mappedFresh(@Nullable Executor executor, Runnable close) {
    Invoker<Q, V> invoker =
        (request, visitor) -> {
          HttpClient client = clients.jdk(HttpClient.Version.HTTP_1_1, executor);
          clients.end(CallSteps.BUILD);
          over(client).call(request, visitor);
          clients.close(client);
        };
    return invoker.closing(close);
  }

  private Invoker<Q, V> over(HttpClient client) {
    return marked(call.over(clients.mapped(client)));
  }

  Invoker<Q, V> okKept() {
    return kept(clients.okHttp(HttpProtocol.HTTP_1_1, false));
  }

  Invoker<Q, V> okFresh() {
    return (request, visitor) -> {
      try (CallClient client = clients.okHttp(HttpProtocol.HTTP_1_1, true)) {
        clients.end(CallSteps.BUILD);
        marked(call.over(client)).call(request, visitor);
      }
      clients.end(CallSteps.CLOSE);
    };
  }

  /** There is no client that could be made or closed. */
  Invoker<Q, V> urlFresh() {
    return kept(clients.url());
  }
}
