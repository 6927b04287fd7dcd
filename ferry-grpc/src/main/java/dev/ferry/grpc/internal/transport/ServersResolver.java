package dev.ferry.grpc.internal.transport;

import dev.ferry.wire.Servers;
import dev.ferry.wire.Servers.Endpoint;
import dev.ferry.wire.internal.servers.Reachability;
import dev.ferry.zerocopy.EventLoops;
import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.Status;
import io.grpc.StatusOr;
import io.grpc.SynchronizationContext;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Gives a channel the addresses of several servers. The channel has a connection to each of them
 * and sends calls to those in turn that are healthy by gRPC's health service. The certificate of
 * each server is checked for the host that led to it, which is also what the server is told by
 * {@code :authority}.
 */
final class ServersResolver extends NameResolver {
  private static final String SCHEME = "ferry";

  /** The name of all servers, which neither end uses: each address has an authority of its own. */
  private static final String NAME = "servers";

  /** See "Client-Side Health Checking" (gRPC proposal A17). The empty name is the whole server. */
  private static final Map<String, ?> CONFIG =
      Map.of(
          "loadBalancingConfig", List.of(Map.of("round_robin", Map.of())),
          "healthCheckConfig", Map.of("serviceName", ""));

  private final Servers servers;
  private final Executor lookups;
  private final SynchronizationContext channel;

  // The synchronization context of the channel guards the following.
  private @Nullable Listener2 listener;
  private boolean lookingUp;

  private ServersResolver(Servers servers, Args args) {
    this.servers = servers;
    Executor offload = args.getOffloadExecutor();
    this.lookups = offload == null ? Runnable::run : offload;
    this.channel = args.getSynchronizationContext();
  }

  /** Returns a builder of a channel to one server whose host name grpc-java does not take. */
  static NettyChannelBuilder connect(Servers.Address server) {
    return factory(NettyChannelBuilder.forAddress(NAME, 1), Servers.of(List.of(server)))
        .overrideAuthority(server.toString());
  }

  /** Makes a channel of a transport lead to several servers. */
  static NettyChannelBuilder connect(Transport transport, Servers servers, EventLoops loops) {
    return factory(transport.connect(NAME, 1, loops), servers)
        .defaultServiceConfig(CONFIG)
        .withOption(
            ChannelOption.CONNECT_TIMEOUT_MILLIS,
            Math.toIntExact(Reachability.CONNECT_TIMEOUT.toMillis()));
  }

  /** The other way to set a resolver is a registry of the whole process. */
  @SuppressWarnings("deprecation")
  private static NettyChannelBuilder factory(NettyChannelBuilder builder, Servers servers) {
    return builder.nameResolverFactory(
        new Factory() {
          @Override
          public NameResolver newNameResolver(URI target, Args args) {
            return new ServersResolver(servers, args);
          }

          @Override
          public String getDefaultScheme() {
            return SCHEME;
          }
        });
  }

  @Override
  public String getServiceAuthority() {
    return NAME;
  }

  @Override
  public void start(Listener2 results) {
    listener = results;
    lookUp();
  }

  /** The channel asks for this when it has lost a connection. */
  @Override
  public void refresh() {
    servers.lookUpAgain();
    lookUp();
  }

  private void lookUp() {
    if (lookingUp) {
      return;
    }
    lookingUp = true;
    try {
      lookups.execute(
          () -> {
            StatusOr<List<EquivalentAddressGroup>> found = groups();
            channel.execute(() -> give(found));
          });
    } catch (RejectedExecutionException e) {
      // The channel is being shut down.
      lookingUp = false;
    }
  }

  private void give(StatusOr<List<EquivalentAddressGroup>> found) {
    lookingUp = false;
    if (listener != null) {
      Status unused =
          listener.onResult2(ResolutionResult.newBuilder().setAddressesOrError(found).build());
    }
  }

  private StatusOr<List<EquivalentAddressGroup>> groups() {
    List<EquivalentAddressGroup> groups = new ArrayList<>();
    @Nullable UnknownHostException failure = null;
    for (Endpoint server : servers.endpoints()) {
      try {
        groups.add(group(server));
      } catch (UnknownHostException e) {
        failure = e;
      }
    }
    return groups.isEmpty()
        ? StatusOr.fromStatus(
            Status.UNAVAILABLE
                .withDescription("no host of " + servers + " is known")
                .withCause(failure))
        : StatusOr.fromValue(groups);
  }

  /**
   * A host with addresses of both families is one server, to which the first that answers leads.
   */
  private static EquivalentAddressGroup group(Endpoint server) throws UnknownHostException {
    return new EquivalentAddressGroup(
        List.<SocketAddress>copyOf(server.socketAddresses()),
        Attributes.newBuilder()
            .set(EquivalentAddressGroup.ATTR_AUTHORITY_OVERRIDE, server.address().toString())
            .build());
  }

  @Override
  public void shutdown() {
    listener = null;
  }
}
