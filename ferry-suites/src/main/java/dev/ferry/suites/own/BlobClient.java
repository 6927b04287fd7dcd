package dev.ferry.suites.own;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.suites.rival.CallFailures;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.rival.grpcjava.UnaryObserver;
import dev.ferry.zerocopy.FileSender;
import example.blobs.Blob;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/**
 * A client of the service, with what all of them have in common around a call.
 *
 * @param <M> a message
 */
abstract class BlobClient<M> implements TransferClient {
  private final String protocol;
  private final Runnable close;

  /**
   * @param protocol what the channel speaks
   * @param close closes the channel
   */
  BlobClient(String protocol, Runnable close) {
    this.protocol = protocol;
    this.close = close;
  }

  /** Returns what receives a file. */
  abstract BlobReceiver<M> receiver(Function<String, Path> target);

  /** Reads a file until its end. */
  abstract void read(ReadRequest request, BlobReceiver<M> receiver)
      throws IOException, ExecutionException, InterruptedException;

  /** Begins to write a file. */
  abstract void write(
      Blob first, FileChannel file, int chunkSize, StreamObserver<WriteResponse> response)
      throws IOException;

  @Override
  public final Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    ReadRequest request =
        ReadRequest.newBuilder()
            .setName(path.value())
            .setChunkSize(chunkSize(options))
            .setWantCrc32C(options.verify())
            .build();
    try (BlobReceiver<M> receiver = receiver(name -> target)) {
      read(request, receiver);
      if (options.verify() && !receiver.isVerified()) {
        throw new FerryException(ErrorKind.INCOMPLETE, path + ": the server sent no checksum");
      }
      receiver.commit();
      return TransferClient.plain(path, target, protocol);
    } catch (StatusRuntimeException | ExecutionException e) {
      throw failure(e, path);
    } catch (InterruptedException e) {
      throw FerryException.interrupted(path + ": cancelled", e);
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  @Override
  public final Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    try (FileChannel file = FileChannel.open(source)) {
      UnaryObserver<WriteResponse> response = new UnaryObserver<>();
      Blob first =
          Blobs.first(path.value(), source).toBuilder().setCrc32CFollows(options.verify()).build();
      write(first, file, chunkSize(options), response);
      WriteResponse stored = response.response().get();
      Transfer transfer = TransferClient.plain(path, source, protocol);
      if (stored.getSize() != transfer.facts().size() || stored.hasCrc32C() != options.verify()) {
        throw new FerryException(ErrorKind.INCOMPLETE, path + ": the server stored " + stored);
      }
      return transfer;
    } catch (StatusRuntimeException | ExecutionException e) {
      throw failure(e, path);
    } catch (InterruptedException e) {
      throw FerryException.interrupted(path + ": cancelled", e);
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  /** No method sends more at once than can be handed off: their messages are the same. */
  private static int chunkSize(TransferOptions options) {
    return Math.min(options.chunkSize(), FileSender.MAX_CHUNK);
  }

  private static FerryException failure(Exception e, StorePath path) {
    Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
    return CallFailures.of(cause, path.value());
  }

  /** Closes the channel. Running transfers fail. */
  @Override
  public final void close() {
    close.run();
  }
}
