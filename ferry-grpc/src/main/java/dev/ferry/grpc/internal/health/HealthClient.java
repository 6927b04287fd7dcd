package dev.ferry.grpc.internal.health;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.CallReport;
import dev.ferry.grpc.internal.Authorization;
import dev.ferry.grpc.internal.transport.Shutdown;
import dev.ferry.grpc.internal.transport.Transport;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.Servers;
import dev.ferry.wire.Token;
import dev.ferry.wire.internal.TlsContexts;
import dev.ferry.wire.internal.contract.GrpcErrors;
import dev.ferry.wire.internal.servers.ServersCarrier;
import dev.ferry.zerocopy.EventLoops;
import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NegotiationType;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server whether it serves, by gRPC's health service: the smallest unary call that it
 * answers. The first call opens the only connection. Thread-safe.
 */
public final class HealthClient implements AutoCloseable {
  private final String server;
  private final ManagedChannel channel;
  private final EventLoops loops;
  private final HealthGrpc.HealthStub health;

  private HealthClient(
      String server, ManagedChannel channel, EventLoops loops, @Nullable String authorization) {
    this.server = server;
    this.channel = channel;
    this.loops = loops;
    this.health = HealthGrpc.newStub(Authorization.added(channel, authorization));
  }

  /**
   * Creates a client.
   *
   * @param tls null for plaintext
   * @param token sent with each call; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static HealthClient connect(
      String host, int port, @Nullable ClientTls tls, @Nullable Token token) {
    String authorization = token == null ? null : token.authorization(host, tls != null);
    return connect(
        host + ":" + port,
        (transport, loops) -> transport.connect(host, port, loops),
        tls,
        authorization);
  }

  /**
   * Creates a client that asks several servers in turn, as long as they are healthy; a client of
   * one server if there is only one. This may look host names up.
   *
   * @param tls null for plaintext
   * @param token sent with each call; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static HealthClient connect(
      Servers servers, @Nullable ClientTls tls, @Nullable Token token) {
    if (servers.isSingle()) {
      Servers.Address only = servers.addresses().get(0);
      return connect(only.host(), only.port(), tls, token);
    }
    return connect(
        servers.toString(),
        (transport, loops) -> transport.connect(servers, loops),
        tls,
        ServersCarrier.authorization(servers, token, tls != null));
  }

  private static HealthClient connect(
      String server,
      BiFunction<Transport, EventLoops, NettyChannelBuilder> channel,
      @Nullable ClientTls tls,
      @Nullable String authorization) {
    // May fail, and the loops need to be stopped.
    SslContext context = tls == null ? null : TlsContexts.client(tls, TlsContexts.H2);
    Transport transport = new Transport(PooledByteBufAllocator.DEFAULT, List.of());
    EventLoops loops = new EventLoops("ferry-health-client", 1);
    NettyChannelBuilder builder = channel.apply(transport, loops);
    if (context != null) {
      builder.negotiationType(NegotiationType.TLS).sslContext(context);
    }
    return new HealthClient(server, builder.build(), loops, authorization);
  }

  /**
   * Asks once. The future fails with a {@link FerryException} if the call fails, or if the server
   * does not serve. It is completed on the event loop, which must not be blocked.
   */
  public CompletableFuture<HealthCheckResponse> check() {
    CompletableFuture<HealthCheckResponse> done = new CompletableFuture<>();
    health.check(HealthCheckRequest.getDefaultInstance(), new Answer(server, done));
    return done;
  }

  /** Closes the connection. Running calls fail. Waits a few seconds at most. */
  @Override
  public void close() {
    Shutdown.now(channel);
    loops.close();
  }

  /** Completes a future with the answer. */
  private record Answer(String server, CompletableFuture<HealthCheckResponse> done)
      implements StreamObserver<HealthCheckResponse> {
    @Override
    public void onNext(HealthCheckResponse response) {
      if (response.getStatus() == ServingStatus.SERVING) {
        done.complete(response);
      } else {
        done.completeExceptionally(
            new FerryException(ErrorKind.UNAVAILABLE, server + ": is " + response.getStatus()));
      }
    }

    @Override
    public void onError(Throwable failure) {
      CallReport report = new CallReport(server, server, TransferOptions.DEFAULT, false);
      done.completeExceptionally(GrpcErrors.fromStatus(failure, report));
    }

    @Override
    public void onCompleted() {
      // Without effect after a response.
      done.completeExceptionally(
          new FerryException(ErrorKind.INTERNAL, server + ": ended a call without a response"));
    }
  }
}
