package dev.ferry.web;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClientBuilder;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.ferry.contract.Limits;
import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.grpc.ChannelCarrier;
import dev.ferry.grpc.Method;
import dev.ferry.grpc.MethodSetup;
import dev.ferry.http.HostAndPort;
import dev.ferry.http.HttpProtocol;
import io.grpc.Channel;
import io.grpc.Codec;
import io.netty.channel.ChannelOption;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.function.Predicate;

/**
 * Files over Armeria's gRPC client, which also speaks gRPC-Web and does not need HTTP/2 for it.
 * Uploads over gRPC-Web work as well, with a server that takes them as ours does; browsers have no
 * way to send them.
 *
 * <p>Event loops and threads of its own, of which the latter read and write files. Connects in
 * plain text, with the first call. Thread-safe.
 */
public final class WebCarrier implements Carrier {
  private static final int STREAM_WINDOW = 1024 * 1024;
  private static final int CONNECTION_WINDOW = 4 * 1024 * 1024;
  private static final int MAX_PIECE = 256 * 1024;

  private final ChannelCarrier carrier;
  private final String server;
  private volatile boolean closed;

  private WebCarrier(ChannelCarrier carrier, String server) {
    this.carrier = carrier;
    this.server = server;
  }

  /**
   * Connects, lazily, in plain text.
   *
   * @param host address or name
   * @param method how chunks are treated
   * @throws IllegalArgumentException for {@link WebFormat#GRPC} on HTTP/1.1, or by {@link
   *     Method#ZERO_COPY}
   */
  public static WebCarrier connect(
      String host, int port, WebFormat format, HttpProtocol protocol, Method method) {
    return connect(host, port, format, protocol, MethodSetup.of(method));
  }

  /** The same with a setup of the lab's. */
  public static WebCarrier connect(
      String host, int port, WebFormat format, HttpProtocol protocol, MethodSetup<?> setup) {
    if (format == WebFormat.GRPC && protocol == HttpProtocol.HTTP_1_1) {
      throw new IllegalArgumentException("gRPC needs HTTP/2; take gRPC-Web for HTTP/1.1");
    }
    if (format == WebFormat.GRPC && setup.handsOff()) {
      throw new IllegalArgumentException("ZeroCopy over gRPC itself is GrpcCarrier's; take that");
    }
    String server = HostAndPort.of(host, port);
    String uri = format.scheme() + "+" + Schemes.of(protocol) + "://" + server + "/";
    ClientFactory factory =
        ClientFactory.builder()
            .workerGroup(ClientThreads.loops("ferry-web-client"), true)
            .connectTimeout(CONNECT_TIMEOUT)
            .channelOption(ChannelOption.RCVBUF_ALLOCATOR, QuickLoops.reads())
            .http1MaxChunkSize(MAX_PIECE)
            .http2MaxFrameSize(MAX_PIECE)
            .http2InitialStreamWindowSize(STREAM_WINDOW)
            .http2InitialConnectionWindowSize(CONNECTION_WINDOW)
            .build();
    if (setup.handsOff()) {
      return new WebCarrier(
          RawWebCarrier.connect(factory, server, format, protocol, setup), server);
    }
    ExecutorService workers = ClientThreads.workers("ferry-web-client-call");
    WebChannel channel =
        new WebChannel(
            channel(factory, uri, server, format, Codec.Identity.NONE),
            channel(factory, uri, server, format, Codecs.GZIP),
            workers);
    return new WebCarrier(
        ChannelCarrier.of(
            channel, setup, protocol.wireName(), () -> close(channel, factory, workers)),
        server);
  }

  private static Channel channel(
      ClientFactory factory, String uri, String server, WebFormat format, Codec codec) {
    GrpcClientBuilder builder =
        NoLimits.on(GrpcClients.builder(uri))
            .factory(factory)
            .compressor(codec)
            .decompressorRegistry(Codecs.DECOMPRESSORS)
            .maxResponseMessageLength(Limits.MAX_MESSAGE)
            .exceptionHandler(
                (context, status, cause, trailers) -> ConnectionLoss.status(server, cause))
            .decorator(next -> new AnswerGuard(next, format));
    return builder.build(FilesGrpc.FilesStub.class).getChannel();
  }

  private static void close(WebChannel channel, ClientFactory factory, ExecutorService workers) {
    channel.close();
    ClientThreads.close(factory, workers);
  }

  /** Something to ask of the server. */
  @FunctionalInterface
  private interface Asked<T> {
    T ask() throws FerryException;
  }

  /**
   * Asks once more where a connection was being closed by the server as a call was about to begin
   * on it: such a call has not reached anybody.
   */
  private <T> T ask(Asked<T> asked) throws FerryException {
    if (closed) {
      throw new FerryException(ErrorKind.UNAVAILABLE, "the carrier to " + server + " is closed");
    }
    try {
      return asked.ask();
    } catch (FerryException e) {
      if (!ConnectionLoss.beforeCall(e)) {
        throw e;
      }
      return asked.ask();
    }
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    return ask(() -> carrier.download(path, target, options));
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    return ask(() -> carrier.upload(source, path, options));
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    return ask(() -> carrier.stat(path, digest));
  }

  @Override
  public void limitCalls(TransferOptions limits) {
    carrier.limitCalls(limits);
  }

  @Override
  public void list(StorePath directory, Predicate<FileFacts> entries) throws FerryException {
    boolean ignored =
        ask(
            () -> {
              carrier.list(directory, entries);
              return true;
            });
  }

  @Override
  public void close() {
    closed = true;
    carrier.close();
  }
}
