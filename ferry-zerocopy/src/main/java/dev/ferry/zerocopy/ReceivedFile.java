package dev.ferry.zerocopy;

import com.google.protobuf.MessageLite;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the messages of a stream to a file, and releases each, also those that arrive after a
 * failure. For one thread at a time, as gRPC calls observers.
 */
final class ReceivedFile<M extends MessageLite> implements StreamObserver<BytesMessage<M>> {
  private final Path path;
  private final LongConsumer whole;
  private final Consumer<Throwable> failed;
  private @Nullable FileChannel file;
  private @Nullable GatheringWriter<IOException> writer;
  private boolean over;

  /**
   * Creates a receiver.
   *
   * @param whole gets the number of bytes when the file is complete and closed
   * @param failed gets why there is no file: what writing it threw, or the failure of the stream
   */
  ReceivedFile(Path path, LongConsumer whole, Consumer<Throwable> failed) {
    this.path = path;
    this.whole = whole;
    this.failed = failed;
  }

  /** Creates the file with the first message: a call that is refused leaves the old one alone. */
  private GatheringWriter<IOException> writer() throws IOException {
    GatheringWriter<IOException> current = writer;
    if (current == null) {
      file =
          FileChannel.open(
              path,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE);
      current = GatheringWriter.to(file);
      writer = current;
    }
    return current;
  }

  @Override
  public void onNext(BytesMessage<M> message) {
    if (over) {
      message.close();
      return;
    }
    GatheringWriter<IOException> target;
    try {
      target = writer();
    } catch (IOException | RuntimeException e) {
      message.close();
      fail(e);
      return;
    }
    try {
      target.write(message);
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  @Override
  public void onCompleted() {
    if (over) {
      return;
    }
    long bytes;
    try {
      GatheringWriter<IOException> target = writer();
      target.flush();
      closeFile();
      bytes = target.bytes();
    } catch (IOException | RuntimeException e) {
      fail(e);
      return;
    }
    over = true;
    whole.accept(bytes);
  }

  @Override
  public void onError(Throwable failure) {
    if (!over) {
      fail(failure);
    }
  }

  private void closeFile() throws IOException {
    if (file != null) {
      file.close();
    }
  }

  private void fail(Throwable failure) {
    over = true;
    try {
      if (writer != null) {
        writer.close();
        closeFile();
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    failed.accept(failure);
  }
}
