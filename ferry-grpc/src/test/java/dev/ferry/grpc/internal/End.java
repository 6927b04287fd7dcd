package dev.ferry.grpc.internal;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.Round;
import dev.ferry.grpc.internal.message.GeneratedFormat;
import dev.ferry.grpc.internal.message.RentedArrayFormat;
import dev.ferry.net.ClientTls;
import dev.ferry.net.ServerSettings;
import dev.ferry.net.TlsProvider;
import dev.ferry.net.internal.TestCertificates;
import io.grpc.okhttp.OkHttpChannelBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One end of a connection: how it makes its messages, and what carries them. */
record End(Method method, Carriage carriage) {
  /** What carries messages. */
  enum Carriage {
    /** grpc-java on Netty, as it comes. */
    STOCK,
    /** grpc-java on Netty with our settings. */
    FAST,
    /** OkHttp's, which only clients have. */
    OK_HTTP
  }

  private static final List<End> METHODS = Stream.of(Method.values()).map(End::of).toList();

  /** What a method chooses for an application. */
  static End of(Method method) {
    return new End(method, method == Method.ZERO_COPY ? Carriage.FAST : Carriage.STOCK);
  }

  /** Servers for tests of what depends less on the method than on what carries its messages. */
  static Stream<Round<Method>> methodRounds() {
    return Round.of(List.of(Method.values()), method -> List.of(of(method).carriage));
  }

  MethodSetup<?> setup() {
    if (carriage == of(method).carriage) {
      return MethodSetup.of(method);
    }
    return switch (method) {
      case DEFAULT -> MethodSetup.tuned(new GeneratedFormat());
      case RENTED_ARRAY -> MethodSetup.tuned(new RentedArrayFormat());
      case ZERO_COPY -> throw new IllegalStateException("needs the fast transport");
    };
  }

  GrpcCarrier connect(String host, int port) {
    return connect(host, port, null);
  }

  private GrpcCarrier connect(String host, int port, @Nullable ClientTls tls) {
    return carriage == Carriage.OK_HTTP
        ? GrpcCarrier.connectBy(OkHttpChannelBuilder.forAddress(host, port), method)
        : GrpcCarrier.connect(host, port, setup(), tls);
  }

  /** A client and a server that must go together. */
  record Pair(End client, End server, @Nullable TlsProvider tls) {
    Pair(End client, End server) {
      this(client, server, null);
    }

    GrpcFilesServer serve(FileStore store) throws FerryException {
      ServerSettings settings = ServerSettings.defaults();
      return GrpcFilesServer.start(
          store,
          "127.0.0.1",
          0,
          server.setup(),
          tls == null
              ? settings
              : settings.withTls(
                  TestCertificates.server(TestCertificates.loopback()).withProvider(tls)));
    }

    GrpcCarrier connect(int port) {
      return client.connect(
          "127.0.0.1", port, tls == null ? null : TestCertificates.client().withProvider(tls));
    }

    /** What to choose from when not every pair can be tried. */
    List<?> options() {
      return List.of(client.method, client.carriage, server.method, server.carriage, security());
    }

    private String security() {
      return tls == null ? "plain text" : "TLS by " + tls;
    }

    @Override
    public String toString() {
      return "client %s %s, server %s %s, %s"
          .formatted(client.method, client.carriage, server.method, server.carriage, security());
    }
  }

  /** Every method with every other. */
  static Stream<Pair> mixedMethods() {
    return METHODS.stream().flatMap(c -> METHODS.stream().map(s -> new Pair(c, s)));
  }

  /**
   * Every method with itself over TLS, by each provider. What encrypts does not know the methods,
   * so two methods that go together in plain text do so over TLS.
   */
  static Stream<Pair> overTls() {
    return METHODS.stream()
        .flatMap(end -> Stream.of(TlsProvider.values()).map(tls -> new Pair(end, end, tls)));
  }

  /**
   * Clients of every method on OkHttp's transport. They cover as well that grpc-okhttp, which has
   * no release as new as the rest of grpc-java, goes with it.
   */
  static Stream<Pair> okHttpClients() {
    return Stream.of(Method.values())
        .map(method -> new End(method, Carriage.OK_HTTP))
        .flatMap(
            client ->
                Stream.of(Method.DEFAULT, Method.ZERO_COPY)
                    .map(server -> new Pair(client, of(server))));
  }

  /** The methods that copy, on the fast transport. */
  static Stream<Pair> copyingOnFastTransport() {
    return Stream.of(Method.DEFAULT, Method.RENTED_ARRAY)
        .map(method -> new End(method, Carriage.FAST))
        .map(end -> new Pair(end, end));
  }
}
