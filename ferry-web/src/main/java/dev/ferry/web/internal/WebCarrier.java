package dev.ferry.web.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.PartRequest;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.core.upload.UploadStatus;
import dev.ferry.grpc.internal.GrpcCarrier;
import dev.ferry.grpc.internal.GrpcSetup;
import dev.ferry.grpc.internal.message.Framing;
import dev.ferry.grpc.internal.transport.OneOfServers;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.HostAndPort;
import dev.ferry.net.ClientTls;
import dev.ferry.net.Servers;
import dev.ferry.net.Servers.Endpoint;
import dev.ferry.net.Token;
import dev.ferry.net.internal.TlsContexts;
import dev.ferry.net.internal.servers.Reachability;
import dev.ferry.web.WebFormat;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Transfers files over gRPC-Web with HTTP/1.1, or with HTTP/2 by prior knowledge or ALPN. Buffers
 * are handed off between files and sockets. Uploads also work if the server supports them as
 * Ferry's does. Browsers cannot send them.
 *
 * <p>The carrier has its own event loops, which also read and write files. It connects with the
 * first call. It uses one HTTP/2 connection, or one HTTP/1.1 connection per concurrent call.
 * Thread-safe.
 */
public final class WebCarrier implements Carrier {
  private final GrpcCarrier carrier;
  private final String server;
  private volatile boolean closed;

  private WebCarrier(GrpcCarrier carrier, String server) {
    this.carrier = carrier;
    this.server = server;
  }

  /**
   * Creates a carrier. It connects on the first call.
   *
   * @param host an IP address or a host name
   * @param tls null for plaintext
   * @param token sent with each call; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static WebCarrier connect(
      String host,
      int port,
      WebFormat format,
      HttpProtocol protocol,
      GrpcSetup setup,
      @Nullable ClientTls tls,
      @Nullable Token token) {
    Endpoint server = new Endpoint(new Servers.Address(host, port), null);
    return connect(server, null, format, protocol, setup, tls, token);
  }

  /**
   * Creates a carrier to one of several servers.
   *
   * @param tls null for plaintext
   * @param token sent with each call; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static WebCarrier connect(
      Endpoint server,
      WebFormat format,
      HttpProtocol protocol,
      GrpcSetup setup,
      @Nullable ClientTls tls,
      @Nullable Token token) {
    OneOfServers several = new OneOfServers(server.address().toString(), server);
    return connect(server, several, format, protocol, setup, tls, token);
  }

  private static WebCarrier connect(
      Endpoint endpoint,
      @Nullable OneOfServers several,
      WebFormat format,
      HttpProtocol protocol,
      GrpcSetup setup,
      @Nullable ClientTls tls,
      @Nullable Token token) {
    String host = endpoint.address().host();
    String authorization = token == null ? null : token.authorization(host, tls != null);
    String server = HostAndPort.of(host, endpoint.address().port());
    boolean text = format == WebFormat.GRPC_WEB_TEXT;
    Framing framing = setup.framing();
    WebChannel channel =
        new WebChannel(
            connections(endpoint, several != null, protocol, framing, tls),
            server,
            protocol.wireName(tls != null),
            text,
            framing);
    return new WebCarrier(
        new GrpcCarrier(channel, setup.batching(true), authorization, several), server);
  }

  private static WebConnections connections(
      Endpoint server,
      boolean several,
      HttpProtocol protocol,
      Framing framing,
      @Nullable ClientTls tls) {
    String alpn = protocol == HttpProtocol.H2C ? TlsContexts.H2 : TlsContexts.HTTP_1_1;
    WebSockets sockets =
        new WebSockets(
            server,
            several ? Reachability.CONNECT_TIMEOUT : CONNECT_TIMEOUT,
            framing.allocator(),
            tls == null ? null : TlsContexts.client(tls, alpn));
    return switch (protocol) {
      case HTTP_1_1 -> new Http1Connections(sockets);
      case H2C -> new Http2Connections(sockets);
    };
  }

  /** A call to the server. */
  @FunctionalInterface
  private interface Call<T> {
    T make() throws FerryException;
  }

  private <T> T once(Call<T> call) throws FerryException {
    if (closed) {
      throw new FerryException(ErrorKind.UNAVAILABLE, "the carrier to " + server + " is closed");
    }
    return call.make();
  }

  /**
   * Makes a call and retries it if the server was closing the connection when the call began.
   *
   * @param safe whether the call changes nothing
   */
  private <T> T call(boolean safe, Call<T> call) throws FerryException {
    try {
      return once(call);
    } catch (FerryException e) {
      if (!ConnectionLoss.mayRepeat(e, safe)) {
        throw e;
      }
      return once(call);
    }
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    return call(true, () -> carrier.download(path, target, options));
  }

  @Override
  public Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    return call(true, () -> carrier.download(path, receiver, options));
  }

  @Override
  public Transfer downloadPart(
      StorePath path, PartRequest part, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    return call(true, () -> carrier.downloadPart(path, part, receiver, options));
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    return call(false, () -> carrier.upload(source, path, options));
  }

  @Override
  public Transfer upload(Path source, StorePath path, UploadPart part, TransferOptions options)
      throws FerryException {
    return call(false, () -> carrier.upload(source, path, part, options));
  }

  @Override
  public UploadStatus uploadStatus(UploadId id) throws FerryException {
    return call(true, () -> carrier.uploadStatus(id));
  }

  @Override
  public void cancelUpload(UploadId id) throws FerryException {
    boolean ignored =
        call(
            false,
            () -> {
              carrier.cancelUpload(id);
              return true;
            });
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    return call(true, () -> carrier.stat(path, digest));
  }

  @Override
  public FileFacts stat(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    return call(true, () -> carrier.stat(path, algorithm));
  }

  @Override
  public void limitCalls(TransferOptions limits) {
    carrier.limitCalls(limits);
  }

  @Override
  public void list(StorePath directory, Predicate<FileFacts> entries) throws FerryException {
    run(true, () -> carrier.list(directory, entries));
  }

  @Override
  public void delete(StorePath path, @Nullable String version) throws FerryException {
    run(false, () -> carrier.delete(path, version));
  }

  @Override
  public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    run(false, () -> carrier.move(source, target, replace));
  }

  @Override
  public void makeDirectory(StorePath path, boolean parents) throws FerryException {
    run(false, () -> carrier.makeDirectory(path, parents));
  }

  @Override
  public void makeLink(StorePath path, String target, boolean replace) throws FerryException {
    run(false, () -> carrier.makeLink(path, target, replace));
  }

  /** A call to the server without a result. */
  @FunctionalInterface
  private interface VoidCall {
    void make() throws FerryException;
  }

  private void run(boolean safe, VoidCall call) throws FerryException {
    boolean ignored =
        call(
            safe,
            () -> {
              call.make();
              return true;
            });
  }

  @Override
  public void close() {
    closed = true;
    carrier.close();
  }
}
