package dev.ferry.lab.suite.calls;

import dev.ferry.calls.CallClient;
import dev.ferry.contract.v1.CallReply;
import dev.ferry.contract.v1.CallRequest;
import dev.ferry.contract.v1.CallsGrpc;
import dev.ferry.core.FerryException;
import dev.ferry.grpc.transport.EventLoops;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.suite.calls.ItemCaller.ItemVisitor;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Every way in which the rows of connection reuse ask for items; each tells of its steps. */
final class ItemCallers {
  private final Clients clients;

  ItemCallers(Clients clients) {
    this.clients = clients;
  }

  private static EventLoops loops() {
    return new EventLoops("ferry-items", 1);
  }

  ItemCaller stockKept() {
    ManagedChannel channel = clients.stock();
    CallsGrpc.CallsFutureStub stub = stub(channel, false);
    return ItemCaller.of((count, visitor) -> ask(stub, count, visitor), channel::shutdownNow);
  }

  ItemCaller stockFresh() {
    return ItemCaller.of(
        (count, visitor) -> {
          ManagedChannel channel = clients.stock();
          clients.end(Steps.BUILD);
          try {
            ask(stub(channel, true), count, visitor);
          } finally {
            Clients.close(channel);
          }
          clients.end(Steps.CLOSE);
        },
        () -> {});
  }

  private CallsGrpc.CallsFutureStub stub(ManagedChannel channel, boolean fresh) {
    return CallsGrpc.newFutureStub(channel).withInterceptors(clients.tracer(fresh));
  }

  private void ask(CallsGrpc.CallsFutureStub stub, long count, ItemVisitor visitor)
      throws IOException {
    CallRequest request = CallRequest.newBuilder().setCount(count).build();
    CallReply reply;
    try {
      reply = stub.get(request).get();
    } catch (ExecutionException e) {
      throw new IOException("the call failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      throw Clients.interrupted(e);
    }
    reply.getItemsList().forEach(i -> visitor.item(i.getId(), i.getName(), i.getPrice()));
    clients.end(Steps.ANSWER);
  }

  ItemCaller leanKept() {
    EventLoops loops = loops();
    CallClient client = clients.lean(loops, false);
    return ItemCaller.of(
        (count, visitor) -> ask(client, count, visitor),
        () -> {
          client.close();
          loops.close();
        });
  }

  /** The channel is new, but not the thread below it. */
  ItemCaller leanFresh() {
    EventLoops loops = loops();
    return fresh(() -> clients.lean(loops, true), loops::close);
  }

  /** Makes a client. */
  @FunctionalInterface
  private interface Maker {
    CallClient make();
  }

  private ItemCaller fresh(Maker maker, Runnable close) {
    return ItemCaller.of(
        (count, visitor) -> {
          try (CallClient client = maker.make()) {
            clients.end(Steps.BUILD);
            ask(client, count, visitor);
          }
          clients.end(Steps.CLOSE);
        },
        close);
  }

  private void ask(CallClient client, long count, ItemVisitor visitor) throws FerryException {
    client.items(count).forEach(i -> visitor.item(i.id(), i.name(), i.price()));
    clients.end(Steps.ANSWER);
  }

  private void ask(HttpClient client, long count, ItemVisitor visitor) throws IOException {
    clients.mapped(client).items(count).forEach(i -> visitor.item(i.id(), i.name(), i.price()));
    clients.end(Steps.ANSWER);
  }

  ItemCaller mappedKept() {
    HttpClient client = clients.jdk(HttpClient.Version.HTTP_1_1, null);
    return ItemCaller.of((count, visitor) -> ask(client, count, visitor), () -> {});
  }

  ItemCaller mappedFresh() {
    return mappedFresh(null, () -> {});
  }

  /** The client is new, but not the threads that its callbacks run on. */
  ItemCaller mappedFreshSharingThreads() {
    ExecutorService executor = Executors.newCachedThreadPool();
    return mappedFresh(executor, executor::shutdownNow);
  }

  private ItemCaller mappedFresh(@Nullable Executor executor, Runnable close) {
    return ItemCaller.of(
        (count, visitor) -> {
          HttpClient client = clients.jdk(HttpClient.Version.HTTP_1_1, executor);
          clients.end(Steps.BUILD);
          ask(client, count, visitor);
          clients.close(client);
        },
        close);
  }

  ItemCaller okKept() {
    CallClient client = clients.okHttp(HttpProtocol.HTTP_1_1, false);
    return ItemCaller.of((count, visitor) -> ask(client, count, visitor), client::close);
  }

  ItemCaller okFresh() {
    return fresh(() -> clients.okHttp(HttpProtocol.HTTP_1_1, true), () -> {});
  }

  /** There is no client that could be made or closed. */
  ItemCaller urlFresh() {
    CallClient client = clients.url();
    return ItemCaller.of((count, visitor) -> ask(client, count, visitor), client::close);
  }
}
