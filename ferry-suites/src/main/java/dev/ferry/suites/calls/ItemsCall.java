package dev.ferry.suites.calls;

import dev.ferry.suites.calls.ItemsCall.ItemVisitor;
import dev.ferry.suites.calls.service.CallClient;
import dev.ferry.suites.calls.service.Item;
import dev.ferry.suites.calls.v1.CallRequest;
import dev.ferry.suites.calls.v1.CallsGrpc;
import dev.ferry.suites.rival.jdk.MappedHttp;
import dev.ferry.suites.tls.BareTlsClient;
import io.grpc.Channel;
import java.util.ArrayList;
import java.util.List;

/** Gets the first items. */
final class ItemsCall implements SmallCall<Long, ItemVisitor> {
  /** Visits the items of a response. */
  @FunctionalInterface
  interface ItemVisitor {
    /** Takes the next item. */
    void item(long id, String name, double price);
  }

  @Override
  public Invoker<Long, ItemVisitor> over(Channel channel) {
    CallsGrpc.CallsFutureStub stub = CallsGrpc.newFutureStub(channel);
    return (count, visitor) ->
        Clients.await(stub.get(CallRequest.newBuilder().setCount(count).build()))
            .getItemsList()
            .forEach(i -> visitor.item(i.getId(), i.getName(), i.getPrice()));
  }

  @Override
  public Invoker<Long, ItemVisitor> over(MappedHttp http) {
    return (count, visitor) -> give(http.items(count), visitor);
  }

  @Override
  public Invoker<Long, ItemVisitor> over(CallClient client) {
    return (count, visitor) -> give(client.items(count), visitor);
  }

  /** A TLS socket for each call, without a protocol. */
  static Invoker<Long, ItemVisitor> bareFresh(Clients clients) {
    return (count, visitor) -> {
      try (BareTlsClient client = clients.bare()) {
        clients.end(CallSteps.CONNECT);
        List<Item> items = new ArrayList<>();
        for (long i = 0; i < count; i++) {
          items.add(client.item(i));
        }
        clients.end(CallSteps.FIRST_BYTE);
        give(items, visitor);
        clients.end(CallSteps.ANSWER);
      }
      clients.end(CallSteps.CLOSE);
    };
  }

  private static void give(List<Item> items, ItemVisitor visitor) {
    items.forEach(i -> visitor.item(i.id(), i.name(), i.price()));
  }
}
