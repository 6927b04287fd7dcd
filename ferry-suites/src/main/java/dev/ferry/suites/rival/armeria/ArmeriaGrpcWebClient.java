package dev.ferry.suites.rival.armeria;

import static dev.ferry.core.Carrier.CONNECT_TIMEOUT;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.ferry.http.HttpProtocol;
import dev.ferry.suites.files.v1.FilesGrpc;
import dev.ferry.suites.rival.TransferClient;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Codec;
import io.grpc.MethodDescriptor;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.BiFunction;

/**
 * Armeria's client of gRPC-Web with the files' calls: its defaults, but for the limits on an
 * response's size and time. Listeners of calls read and write files, and so run on threads of their
 * own, as Armeria's documentation requires.
 */
public final class ArmeriaGrpcWebClient {
  private ArmeriaGrpcWebClient() {}

  /**
   * Connects, lazily, in plain text.
   *
   * @param host address or name
   * @param text whether bodies are base64
   * @param client makes the client of a channel, and closes that
   * @param codec its gzip
   */
  public static TransferClient connect(
      String host,
      int port,
      boolean text,
      HttpProtocol protocol,
      BiFunction<Channel, Runnable, TransferClient> client,
      Codec codec) {
    String uri =
        (text ? "gproto-web-text" : "gproto-web")
            + "+"
            + ArmeriaSettings.scheme(protocol)
            + "://"
            + host
            + ":"
            + port
            + "/";
    ClientFactory factory =
        ClientFactory.builder()
            .workerGroup(ArmeriaSettings.loops("armeria-grpc-web"), true)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    ExecutorService workers = ArmeriaSettings.workers("armeria-grpc-web-call");
    Channel channel =
        new PerCall(
            channel(factory, uri, text, Codec.Identity.NONE),
            channel(factory, uri, text, codec),
            workers);
    return client.apply(channel, () -> ArmeriaSettings.close(factory, workers));
  }

  private static Channel channel(ClientFactory factory, String uri, boolean text, Codec codec) {
    return ArmeriaSettings.withoutLimits(GrpcClients.builder(uri))
        .factory(factory)
        .compressor(codec)
        .maxResponseMessageLength(ArmeriaSettings.MAX_MESSAGE)
        .decorator(next -> new WireCount(next, text))
        .build(FilesGrpc.FilesStub.class)
        .getChannel();
  }

  /** Armeria compresses by client and not by call. */
  private static final class PerCall extends Channel {
    private final Channel plain;
    private final Channel compressed;
    private final Executor workers;

    PerCall(Channel plain, Channel compressed, Executor workers) {
      this.plain = plain;
      this.compressed = compressed;
      this.workers = workers;
    }

    @Override
    public <I, O> ClientCall<I, O> newCall(MethodDescriptor<I, O> method, CallOptions options) {
      boolean gzip = "gzip".equals(options.getCompressor());
      return (gzip ? compressed : plain)
          .newCall(method, options.withCompression(null).withExecutor(workers));
    }

    @Override
    public String authority() {
      return plain.authority();
    }
  }
}
