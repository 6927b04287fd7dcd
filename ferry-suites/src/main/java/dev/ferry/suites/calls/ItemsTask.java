package dev.ferry.suites.calls;

import dev.ferry.lab.model.Part;
import dev.ferry.lab.suite.Operation;
import dev.ferry.suites.calls.ItemsCall.ItemVisitor;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.Item;
import dev.ferry.suites.calls.service.Items;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Gets items, and counts the connections that this takes. */
class ItemsTask implements Operation {
  private final Invoker<Long, ItemVisitor> invoker;
  private final long count;
  private final CallSteps steps;
  private final String protocol;
  private OptionalLong opensBefore = OptionalLong.empty();
  private List<Part> parts = List.of();
  private final Items right = new Items(Backend.SEED);
  private long seen;
  private long sum;

  /**
   * Takes ownership of the invoker and closes it.
   *
   * @param count items of a call
   * @param steps the steps that the invoker marks
   */
  ItemsTask(Invoker<Long, ItemVisitor> invoker, long count, CallSteps steps, String protocol) {
    this.invoker = invoker;
    this.count = count;
    this.steps = steps;
    this.protocol = protocol;
  }

  @Override
  public void prepare() throws IOException {
    steps.reset();
    seen = 0;
    sum = 0;
    opensBefore = OpenedSockets.count();
  }

  @Override
  public void settle() {
    Clients.collect();
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    steps.begin();
    invoker.call(count, this::add);
  }

  private void add(long id, String name, double price) {
    seen++;
    sum += mixed(id, name, price);
  }

  private static long mixed(long id, String name, double price) {
    return id + name.length() + Double.doubleToRawLongBits(price);
  }

  @Override
  public Outcome outcome() {
    return Outcome.identity(0, protocol);
  }

  @Override
  public void checkAll(int operations) throws IOException {
    // Before the call below adds to them.
    parts = partsSoFar(operations);
    if (seen != count * operations) {
      throw new IOException(
          "%,d items came in %d calls, not %,d".formatted(seen, operations, count * operations));
    }
    long expectedSum = 0;
    for (int i = 0; i < count; i++) {
      Item item = right.at(i);
      expectedSum += mixed(item.id(), item.name(), item.price());
    }
    if (sum != operations * expectedSum) {
      throw new IOException("the numbers, names and prices are not those of the seed");
    }
    List<Item> got = new ArrayList<>();
    invoker.call(count, (id, name, price) -> got.add(new Item(id, name, price)));
    for (int i = 0; i < count; i++) {
      if (got.size() != count || !got.get(i).equals(right.at(i))) {
        throw new IOException("item %d of %d is not the one of the seed".formatted(i, got.size()));
      }
    }
  }

  private List<Part> partsSoFar(int operations) {
    List<Part> all = new ArrayList<>(CallSteps.parts(List.of(steps), operations));
    OptionalLong opensAfter = OpenedSockets.count();
    if (opensBefore.isPresent() && opensAfter.isPresent()) {
      double opens = opensAfter.getAsLong() - opensBefore.getAsLong();
      all.add(new Part("Sockets", "", opens / operations));
    }
    return all;
  }

  @Override
  public List<Part> parts(int operations, long nanos) {
    return parts;
  }

  @Override
  public void close() {
    invoker.close();
  }
}
