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
import dev.ferry.grpc.internal.transport.OneOfServers;
import dev.ferry.net.internal.DiskWorkers;
import io.grpc.CallOptions;
import io.grpc.Channel;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Transfers files over a gRPC channel that another library created. Wire bytes and encodings are
 * known if the channel honors {@link CallOptions#getStreamTracerFactories}. Thread-safe.
 */
public final class ChannelCarrier implements Carrier {
  private final Channel channel;
  private final String protocol;
  private final Runnable close;
  private final ExecutorService blocking;
  private final FileCalls calls;
  private final NameCalls names;
  private final GrpcSetup setup;

  /**
   * Takes ownership of a channel that supports the hand-off of buffers.
   *
   * @param channel a channel that frames messages as the {@link GrpcSetup#framing framing} of the
   *     setup requires
   * @param protocol the protocol of the channel, for {@link Transfer#protocol}
   * @param authorization the metadata {@code authorization} of each call; null for none
   * @param several the server, if it is one of several; null if it is the only one
   * @param close closes the channel; running calls fail
   */
  public ChannelCarrier(
      Channel channel,
      GrpcSetup setup,
      String protocol,
      @Nullable String authorization,
      @Nullable OneOfServers several,
      Runnable close) {
    this.channel = Authorization.added(channel, authorization);
    this.protocol = protocol;
    this.close = close;
    this.setup = setup.batching(true);
    this.blocking = DiskWorkers.start("ferry-channel-digest");
    this.calls = new FileCalls(this.channel, this.setup, blocking, false, several);
    this.names = new NameCalls(calls);
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    return download(path, facts -> LocalFileSink.create(target, options.sink(facts)), options);
  }

  @Override
  public Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    return spoken(calls.download(path, receiver, options));
  }

  @Override
  public Transfer downloadPart(
      StorePath path, PartRequest part, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    return spoken(calls.downloadPart(path, part, receiver, options));
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    return spoken(calls.upload(source, path, null, options));
  }

  @Override
  public Transfer upload(Path source, StorePath path, UploadPart part, TransferOptions options)
      throws FerryException {
    return spoken(calls.upload(source, path, part, options));
  }

  @Override
  public UploadStatus uploadStatus(UploadId id) throws FerryException {
    return calls.uploadStatus(id);
  }

  @Override
  public void cancelUpload(UploadId id) throws FerryException {
    calls.cancelUpload(id);
  }

  private Transfer spoken(Transfer transfer) {
    return new Transfer(transfer.facts(), transfer.wireBytes(), protocol, transfer.encoding());
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    return calls.stat(path, digest ? Digest.Algorithm.SHA256 : null);
  }

  @Override
  public FileFacts stat(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    return calls.stat(path, algorithm);
  }

  @Override
  public void limitCalls(TransferOptions limits) {
    calls.limitCalls(limits);
  }

  @Override
  public void list(StorePath directory, Predicate<FileFacts> entries) throws FerryException {
    calls.list(directory, entries);
  }

  @Override
  public void delete(StorePath path, @Nullable String version) throws FerryException {
    names.delete(path, version);
  }

  @Override
  public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    names.move(source, target, replace);
  }

  @Override
  public void makeDirectory(StorePath path, boolean parents) throws FerryException {
    names.makeDirectory(path, parents);
  }

  @Override
  public void makeLink(StorePath path, String target, boolean replace) throws FerryException {
    names.makeLink(path, target, replace);
  }

  /** Closes the channel. Running transfers fail. */
  @Override
  public void close() {
    close.run();
    DiskWorkers.stopNow(blocking);
    setup.format().close();
  }
}
