package dev.ferry.suites.calls;

import dev.ferry.lab.model.Reason;
import dev.ferry.suites.calls.UsersCall.Page;
import dev.ferry.suites.calls.UsersCall.UserVisitor;
import dev.ferry.suites.calls.service.CallClient;
import dev.ferry.suites.calls.service.User;
import dev.ferry.suites.calls.v1.PageRequest;
import dev.ferry.suites.calls.v1.UserPage;
import dev.ferry.suites.calls.v1.UsersGrpc;
import dev.ferry.suites.rival.jdk.MappedHttp;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.List;

/** Gets a page of users. */
final class UsersCall implements SmallCall<Page, UserVisitor> {
  /**
   * Which page.
   *
   * @param page from 0
   * @param size users of each page
   */
  record Page(long page, long size) {}

  /** Visits the users of a response. */
  @FunctionalInterface
  interface UserVisitor {
    /** Takes the next user. */
    void user(String userName, String email, int age, String address, long createdMillis);
  }

  @Override
  public Invoker<Page, UserVisitor> over(Channel channel) {
    UsersGrpc.UsersBlockingStub stub = UsersGrpc.newBlockingStub(channel);
    return (page, visitor) ->
        send(stub, page)
            .getUsersList()
            .forEach(
                u ->
                    visitor.user(
                        u.getUserName(),
                        u.getEmail(),
                        u.getAge(),
                        u.getAddress(),
                        u.getCreatedMillis()));
  }

  private static UserPage send(UsersGrpc.UsersBlockingStub stub, Page page) throws IOException {
    try {
      return stub.page(PageRequest.newBuilder().setPage(page.page()).setSize(page.size()).build());
    } catch (StatusRuntimeException e) {
      throw new IOException("the call failed: " + Reason.of(e), e);
    }
  }

  @Override
  public Invoker<Page, UserVisitor> over(MappedHttp http) {
    return (page, visitor) -> give(http.users(page.page(), page.size()), visitor);
  }

  @Override
  public Invoker<Page, UserVisitor> over(CallClient client) {
    return (page, visitor) -> give(client.users(page.page(), page.size()), visitor);
  }

  private static void give(List<User> users, UserVisitor visitor) {
    users.forEach(
        u -> visitor.user(u.userName(), u.email(), u.age(), u.address(), u.createdMillis()));
  }
}
