package dev.ferry.grpc;

import dev.ferry.contract.Errors;
import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.contract.v1.ListRequest;
import dev.ferry.contract.v1.StatRequest;
import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.grpc.message.Framing;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;

/**
 * Files over a gRPC channel that another stack made. Wire bytes and encodings are known where the
 * channel heeds {@link CallOptions#getStreamTracerFactories}. Thread-safe.
 */
public final class ChannelCarrier implements Carrier {
  private final Channel channel;
  private final String protocol;
  private final Runnable close;
  private final ExecutorService blocking;
  private final FileCalls<?> calls;
  private final MethodSetup<?> setup;

  private <M> ChannelCarrier(
      Channel channel, MethodSetup<M> setup, String protocol, Runnable close) {
    this.channel = channel;
    this.protocol = protocol;
    this.close = close;
    this.setup = setup;
    this.blocking = Digests.newExecutor("ferry-channel-digest");
    this.calls = new FileCalls<>(channel, setup, blocking);
  }

  /**
   * Takes a channel over.
   *
   * @param method not {@link Method#ZERO_COPY}, which needs our own transport
   * @param protocol what the channel speaks, for {@link Transfer#protocol}
   * @param close closes the channel; running calls fail
   */
  public static ChannelCarrier of(Channel channel, Method method, String protocol, Runnable close) {
    if (method == Method.ZERO_COPY) {
      throw new IllegalArgumentException("ZeroCopy needs Ferry's own transport; take RentedArray");
    }
    return new ChannelCarrier(channel, MethodSetup.of(method), protocol, close);
  }

  /**
   * The same with the messages of {@link Method#ZERO_COPY}.
   *
   * @param connect makes the channel, which treats messages as its framing says
   */
  public static ChannelCarrier handOff(
      Function<Framing, Channel> connect, String protocol, Runnable close) {
    MethodSetup<?> setup = MethodSetup.of(Method.ZERO_COPY).batching(true);
    return new ChannelCarrier(connect.apply(setup.framing()), setup, protocol, close);
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    return spoken(calls.download(path, target, options));
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    return spoken(calls.upload(source, path, options));
  }

  private Transfer spoken(Transfer transfer) {
    return new Transfer(transfer.facts(), transfer.wireBytes(), protocol, transfer.encoding());
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    StatRequest request =
        StatRequest.newBuilder().setPath(path.value()).setWantDigest(digest).build();
    try {
      return Facts.fromMessage(
          ClientCalls.blockingUnaryCall(
                  channel, FilesGrpc.getStatMethod(), CallOptions.DEFAULT, request)
              .getFacts());
    } catch (StatusRuntimeException e) {
      throw Errors.fromStatus(e, path.value());
    }
  }

  @Override
  public List<FileFacts> list(StorePath directory) throws FerryException {
    ListRequest request = ListRequest.newBuilder().setPath(directory.value()).build();
    try {
      List<FileFacts> entries = new ArrayList<>();
      for (var entry :
          ClientCalls.blockingUnaryCall(
                  channel, FilesGrpc.getListMethod(), CallOptions.DEFAULT, request)
              .getEntriesList()) {
        entries.add(Facts.fromMessage(entry));
      }
      return entries;
    } catch (StatusRuntimeException e) {
      throw Errors.fromStatus(e, directory.value());
    }
  }

  /** Closes the channel, whose running transfers fail. */
  @Override
  public void close() {
    close.run();
    blocking.shutdownNow();
    setup.form().close();
  }
}
