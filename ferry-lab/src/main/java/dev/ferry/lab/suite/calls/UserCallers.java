package dev.ferry.lab.suite.calls;

import dev.ferry.calls.CallClient;
import dev.ferry.contract.v1.PageRequest;
import dev.ferry.contract.v1.UserPage;
import dev.ferry.contract.v1.UsersGrpc;
import dev.ferry.core.FerryException;
import dev.ferry.grpc.transport.EventLoops;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.suite.calls.UserCaller.UserVisitor;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.http.HttpClient;

/** Every way in which the rows of users ask for pages; each tells of its steps. */
final class UserCallers {
  private final Clients clients;

  UserCallers(Clients clients) {
    this.clients = clients;
  }

  UserCaller stockKept() {
    ManagedChannel channel = clients.stock();
    UsersGrpc.UsersBlockingStub stub = stub(channel, false);
    return UserCaller.of(
        (page, size, visitor) -> ask(stub, page, size, visitor), channel::shutdownNow);
  }

  UserCaller stockFresh() {
    return UserCaller.of(
        (page, size, visitor) -> {
          ManagedChannel channel = clients.stock();
          clients.end(Steps.BUILD);
          try {
            ask(stub(channel, true), page, size, visitor);
          } finally {
            Clients.close(channel);
          }
          clients.end(Steps.CLOSE);
        },
        () -> {});
  }

  private UsersGrpc.UsersBlockingStub stub(ManagedChannel channel, boolean fresh) {
    return UsersGrpc.newBlockingStub(channel).withInterceptors(clients.tracer(fresh));
  }

  private void ask(UsersGrpc.UsersBlockingStub stub, long page, long size, UserVisitor visitor)
      throws IOException {
    PageRequest request = PageRequest.newBuilder().setPage(page).setSize(size).build();
    UserPage answer;
    try {
      answer = stub.page(request);
    } catch (StatusRuntimeException e) {
      throw new IOException("the call failed: " + e.getStatus(), e);
    }
    answer
        .getUsersList()
        .forEach(
            u ->
                visitor.user(
                    u.getUserName(),
                    u.getEmail(),
                    u.getAge(),
                    u.getAddress(),
                    u.getCreatedMillis()));
    clients.end(Steps.ANSWER);
  }

  UserCaller mappedKept() {
    HttpClient client = clients.jdk(HttpClient.Version.HTTP_1_1, null);
    return UserCaller.of((page, size, visitor) -> ask(client, page, size, visitor), () -> {});
  }

  UserCaller mappedFresh() {
    return UserCaller.of(
        (page, size, visitor) -> {
          HttpClient client = clients.jdk(HttpClient.Version.HTTP_1_1, null);
          clients.end(Steps.BUILD);
          ask(client, page, size, visitor);
          clients.close(client);
        },
        () -> {});
  }

  private void ask(HttpClient client, long page, long size, UserVisitor visitor)
      throws IOException {
    clients
        .mapped(client)
        .users(page, size)
        .forEach(
            u -> visitor.user(u.userName(), u.email(), u.age(), u.address(), u.createdMillis()));
    clients.end(Steps.ANSWER);
  }

  /**
   * A channel of its own.
   *
   * @param loops threads that all callers share
   */
  UserCaller lean(EventLoops loops) {
    return kept(clients.lean(loops, false));
  }

  UserCaller okHttp() {
    return kept(clients.okHttp(HttpProtocol.HTTP_1_1, false));
  }

  private UserCaller kept(CallClient client) {
    return UserCaller.of((page, size, visitor) -> ask(client, page, size, visitor), client::close);
  }

  private void ask(CallClient client, long page, long size, UserVisitor visitor)
      throws FerryException {
    client
        .users(page, size)
        .forEach(
            u -> visitor.user(u.userName(), u.email(), u.age(), u.address(), u.createdMillis()));
    clients.end(Steps.ANSWER);
  }
}
