package dev.ferry.suites.calls;

import dev.ferry.lab.model.Part;
import dev.ferry.lab.suite.Operation;
import dev.ferry.suites.calls.UsersCall.Page;
import dev.ferry.suites.calls.UsersCall.UserVisitor;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.User;
import dev.ferry.suites.calls.service.Users;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Gets users page by page; each worker has an invoker of its own. */
final class UsersTask implements Operation {
  private static final long PAGES = 1_000;
  private static final long PAGE_USERS = Backend.USERS / PAGES;

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;

  /** One in this many pages is compared user by user after a sample. */
  private static final int PAGES_PER_COMPARISON = 100;

  private final List<Invoker<Page, UserVisitor>> invokers;
  private final List<CallSteps> steps;
  private final List<Checksum> checksums = new ArrayList<>();
  private final Users users = new Users(Backend.SEED, Backend.USERS);
  private final String protocol;
  private List<Part> stepParts = List.of();

  /** Pages of the last sample, and what their users sum up to. */
  private int pages;

  private long expectedSum;

  /** Reads every user, as a caller would, and keeps none. Of one worker. */
  private static final class Checksum implements UserVisitor {
    private long count;
    private long mixed;

    @Override
    public void user(String userName, String email, int age, String address, long createdMillis) {
      count++;
      mixed += userName.length() + email.length() + age + address.length() + createdMillis;
    }
  }

  /**
   * Takes over the invokers, and closes them.
   *
   * @param invokers one for each worker
   * @param steps what each of them marks
   */
  UsersTask(List<Invoker<Page, UserVisitor>> invokers, List<CallSteps> steps, String protocol) {
    this.invokers = List.copyOf(invokers);
    this.steps = List.copyOf(steps);
    this.protocol = protocol;
    invokers.forEach(invoker -> checksums.add(new Checksum()));
  }

  @Override
  public void prepare() {
    steps.forEach(CallSteps::reset);
    checksums.forEach(
        checksum -> {
          checksum.count = 0;
          checksum.mixed = 0;
        });
  }

  @Override
  public void settle() {
    Clients.collect();
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    steps.get(worker).begin();
    invokers.get(worker).call(new Page(operation % PAGES, PAGE_USERS), checksums.get(worker));
  }

  @Override
  public Outcome outcome() {
    return Outcome.identity(0, protocol);
  }

  @Override
  public void checkAll(int operations) throws IOException {
    // Before the pages below add to them.
    stepParts = CallSteps.parts(steps, operations);
    long seen = checksums.stream().mapToLong(g -> g.count).sum();
    if (seen != operations * PAGE_USERS) {
      throw new IOException(
          "%,d users came in %,d pages, not %,d"
              .formatted(seen, operations, operations * PAGE_USERS));
    }
    if (pages != operations) {
      pages = operations;
      expectedSum = sum(users, pages);
    }
    if (checksums.stream().mapToLong(g -> g.mixed).sum() != expectedSum) {
      throw new IOException("the users are not those of the seed");
    }
    for (int i = 0; i < operations; i += PAGES_PER_COMPARISON) {
      compare(i % PAGES);
    }
  }

  /** The sum of the right users. */
  private static long sum(Users users, int pages) {
    Checksum right = new Checksum();
    for (long i = 0; i < pages * PAGE_USERS; i++) {
      User user = users.at(i);
      right.user(user.userName(), user.email(), user.age(), user.address(), user.createdMillis());
    }
    return right.mixed;
  }

  private void compare(long page) throws IOException {
    List<User> got = new ArrayList<>();
    invokers
        .get(0)
        .call(
            new Page(page, PAGE_USERS),
            (name, email, age, address, created) ->
                got.add(new User(name, email, age, address, created)));
    for (int i = 0; i < PAGE_USERS; i++) {
      if (got.size() != PAGE_USERS || !got.get(i).equals(users.at(page * PAGE_USERS + i))) {
        throw new IOException("user %d of page %d is not the one of the seed".formatted(i, page));
      }
    }
  }

  @Override
  public List<Part> parts(int operations, long nanos) {
    List<Part> parts = new ArrayList<>(stepParts);
    parts.add(new Part("User", "us", nanos / NANOS_PER_MICRO / operations / PAGE_USERS));
    parts.add(new Part("Million users", "ms", nanos / NANOS_PER_MILLI / operations * PAGES));
    return parts;
  }

  @Override
  public void close() {
    invokers.forEach(Invoker::close);
  }
}
