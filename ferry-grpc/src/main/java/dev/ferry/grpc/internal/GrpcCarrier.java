package dev.ferry.grpc.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.PartRequest;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.core.upload.UploadStatus;
import dev.ferry.grpc.internal.message.HandOffCounters;
import dev.ferry.grpc.internal.transport.EventLoops;
import dev.ferry.grpc.internal.transport.ForeignTracers;
import dev.ferry.grpc.internal.transport.OneOfServers;
import dev.ferry.grpc.internal.transport.Shutdown;
import dev.ferry.net.ClientTls;
import dev.ferry.net.Servers;
import dev.ferry.net.Token;
import dev.ferry.net.internal.DiskWorkers;
import dev.ferry.net.internal.TlsContexts;
import dev.ferry.net.internal.servers.Routes;
import dev.ferry.net.internal.servers.ServersCarrier;
import io.grpc.ManagedChannel;
import io.grpc.netty.NegotiationType;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContext;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Transfers files over grpc-java on Netty. The first call opens the only connection. The carrier
 * has its own event loops. Thread-safe.
 */
public final class GrpcCarrier implements Carrier {
  private final ManagedChannel channel;
  private final EventLoops loops;
  private final ExecutorService blocking;
  private final FileCalls calls;
  private final NameCalls names;
  private final GrpcSetup setup;

  /** The number of calls that are running or have failed. Their handlers may still be writing. */
  private final AtomicInteger unsettled = new AtomicInteger();

  private GrpcCarrier(
      ManagedChannel channel,
      EventLoops loops,
      GrpcSetup setup,
      @Nullable String authorization,
      @Nullable OneOfServers several) {
    this.loops = loops;
    this.channel = channel;
    this.blocking = DiskWorkers.start("ferry-grpc-client-digest");
    this.calls =
        new FileCalls(Authorization.added(channel, authorization), setup, blocking, true, several);
    this.names = new NameCalls(calls);
    this.setup = setup;
  }

  /**
   * Creates a carrier. It connects on the first call. This method decides whether the setup
   * batches.
   *
   * @param tls null for plaintext
   * @param token sent with each call; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static GrpcCarrier connect(
      String host, int port, GrpcSetup setup, @Nullable ClientTls tls, @Nullable Token token) {
    String authorization = token == null ? null : token.authorization(host, tls != null);
    return connect(
        loops -> setup.transport().connect(host, port, loops), setup, tls, authorization, null);
  }

  /**
   * Creates a carrier to several servers, with a connection to each; to one server if there is only
   * one. This may look host names up.
   *
   * @param tls null for plaintext
   * @param token sent with each call; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Carrier connect(
      Servers servers, GrpcSetup setup, @Nullable ClientTls tls, @Nullable Token token) {
    if (servers.isSingle()) {
      Servers.Address only = servers.addresses().get(0);
      return connect(only.host(), only.port(), setup, tls, token);
    }
    String authorization = ServersCarrier.authorization(servers, token, tls != null);
    GrpcCarrier carrier =
        connect(
            loops -> setup.transport().connect(servers, loops),
            setup,
            tls,
            authorization,
            OneOfServers.CHOSEN_BY_CHANNEL);
    return new ServersCarrier(servers, new ChannelRoutes(carrier, servers));
  }

  private static GrpcCarrier connect(
      Function<EventLoops, NettyChannelBuilder> channel,
      GrpcSetup setup,
      @Nullable ClientTls tls,
      @Nullable String authorization,
      @Nullable OneOfServers several) {
    // May fail, and the loops need to be stopped.
    SslContext context = tls == null ? null : TlsContexts.client(tls, TlsContexts.H2);
    EventLoops loops = new EventLoops("ferry-grpc-client", setup.transport().threads());
    NettyChannelBuilder builder = channel.apply(loops);
    if (context != null) {
      builder.negotiationType(NegotiationType.TLS).sslContext(setup.transport().tls(context));
    }
    return new GrpcCarrier(
        builder.build(), loops, setup.batching(!ForeignTracers.present()), authorization, several);
  }

  /** A channel that chooses a server for each call, and leaves those that do not serve. */
  private record ChannelRoutes(GrpcCarrier carrier, Servers servers)
      implements Routes, Routes.Route {
    @Override
    public Carrier begin() {
      return carrier;
    }

    @Override
    public void end() {}

    @Override
    public List<ChannelRoutes> inTurn() {
      return Collections.nCopies(servers.inTurn().size(), this);
    }

    @Override
    public void served() {}

    @Override
    public void failed() {}

    @Override
    public void limitCalls(TransferOptions limits) {
      carrier.limitCalls(limits);
    }

    @Override
    public void close() {
      carrier.close();
    }
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    return download(path, facts -> LocalFileSink.create(target, options.sink(facts)), options);
  }

  @Override
  public Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    return settle(() -> calls.download(path, receiver, options));
  }

  @Override
  public Transfer downloadPart(
      StorePath path, PartRequest part, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    return settle(() -> calls.downloadPart(path, part, receiver, options));
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    return settle(() -> calls.upload(source, path, null, options));
  }

  @Override
  public Transfer upload(Path source, StorePath path, UploadPart part, TransferOptions options)
      throws FerryException {
    return settle(() -> calls.upload(source, path, part, options));
  }

  @Override
  public UploadStatus uploadStatus(UploadId id) throws FerryException {
    return settle(() -> calls.uploadStatus(id));
  }

  @Override
  public void cancelUpload(UploadId id) throws FerryException {
    settle(
        () -> {
          calls.cancelUpload(id);
          return true;
        });
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    return settle(() -> calls.stat(path, digest ? Digest.Algorithm.SHA256 : null));
  }

  @Override
  public FileFacts stat(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    return settle(() -> calls.stat(path, algorithm));
  }

  @Override
  public void limitCalls(TransferOptions limits) {
    calls.limitCalls(limits);
  }

  @Override
  public void list(StorePath directory, Predicate<FileFacts> entries) throws FerryException {
    settle(
        () -> {
          calls.list(directory, entries);
          return true;
        });
  }

  @Override
  public void delete(StorePath path, @Nullable String version) throws FerryException {
    settle(
        () -> {
          names.delete(path, version);
          return true;
        });
  }

  @Override
  public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    settle(
        () -> {
          names.move(source, target, replace);
          return true;
        });
  }

  @Override
  public void makeDirectory(StorePath path, boolean parents) throws FerryException {
    settle(
        () -> {
          names.makeDirectory(path, parents);
          return true;
        });
  }

  @Override
  public void makeLink(StorePath path, String target, boolean replace) throws FerryException {
    settle(
        () -> {
          names.makeLink(path, target, replace);
          return true;
        });
  }

  @FunctionalInterface
  private interface FileCall<T> {
    T run() throws FerryException;
  }

  private <T> T settle(FileCall<T> call) throws FerryException {
    unsettled.incrementAndGet();
    T result = call.run();
    unsettled.decrementAndGet();
    return result;
  }

  /** Returns the counts of chunks that were handed off and copied. */
  public HandOffCounters counters() {
    return setup.format().counters();
  }

  /** Closes the connection. Running transfers fail as cancelled or unavailable. */
  @Override
  public void close() {
    boolean idle = unsettled.get() == 0;
    calls.close();
    Shutdown.now(channel);
    if (idle) {
      loops.closeIdle();
    } else {
      loops.close();
    }
    DiskWorkers.stopNow(blocking);
    setup.format().close();
  }
}
