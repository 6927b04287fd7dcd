package dev.ferry.zerocopy;

import com.google.protobuf.MessageLite;
import io.grpc.stub.CallStreamObserver;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the messages of a stream to a file, which has its name when it is whole, and releases each
 * message, also those that arrive after a failure. For one thread at a time, as gRPC calls
 * observers.
 */
final class ReceivedFile<Q, M extends MessageLite>
    implements ClientResponseObserver<Q, BytesMessage<M>> {
  private final M none;
  private final Function<M, Path> path;
  private final ObjLongConsumer<Path> whole;
  private final Consumer<Throwable> failed;
  private @Nullable CallStreamObserver<?> call;
  private @Nullable FileChannel file;
  private @Nullable GatheringWriter<IOException> writer;
  private @Nullable Path target;
  private @Nullable Path temporary;
  private boolean over;

  /**
   * Creates a receiver.
   *
   * @param none the message of a stream that has none
   * @param path returns the path; called once, with the first message, which has no bytes then
   * @param whole gets the path and the number of bytes when the file is complete and closed
   * @param failed gets why there is no file: what {@code path} or writing it threw, or the failure
   *     of the stream
   */
  ReceivedFile(
      M none, Function<M, Path> path, ObjLongConsumer<Path> whole, Consumer<Throwable> failed) {
    this.none = none;
    this.path = path;
    this.whole = whole;
    this.failed = failed;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<Q> starting) {
    starting.disableAutoRequestWithInitial(ZeroCopy.MESSAGES_AHEAD);
    call = starting;
  }

  /** Requests messages of a call that does not do so itself. */
  void requestFrom(CallStreamObserver<?> running) {
    running.request(ZeroCopy.MESSAGES_AHEAD);
    call = running;
  }

  private GatheringWriter<IOException> writer(M first) throws IOException {
    GatheringWriter<IOException> current = writer;
    if (current == null) {
      Path named = path.apply(first);
      Path part = named.resolveSibling("." + UUID.randomUUID() + ".part");
      file = open(named, part);
      target = named;
      temporary = part;
      current = GatheringWriter.to(file);
      writer = current;
    }
    return current;
  }

  /** Opens the temporary file, which is readable for no more than the file that it replaces. */
  private static FileChannel open(Path target, Path temporary) throws IOException {
    Set<OpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    PosixFileAttributeView replaced =
        Files.getFileAttributeView(target, PosixFileAttributeView.class);
    if (replaced == null || Files.notExists(target)) {
      return FileChannel.open(temporary, options);
    }
    Set<PosixFilePermission> permissions = replaced.readAttributes().permissions();
    FileChannel opened =
        FileChannel.open(temporary, options, PosixFilePermissions.asFileAttribute(permissions));
    try {
      // The mask of the process may have taken some away.
      Files.setPosixFilePermissions(temporary, permissions);
      return opened;
    } catch (IOException | RuntimeException e) {
      try (opened) {
        Files.delete(temporary);
        throw e;
      }
    }
  }

  @Override
  public void onNext(BytesMessage<M> message) {
    if (over) {
      message.close();
      return;
    }
    if (call != null) {
      call.request(1);
    }
    GatheringWriter<IOException> current;
    try {
      current = writer(message.rest());
    } catch (IOException | RuntimeException | Error e) {
      message.close();
      fail(e);
      return;
    }
    try {
      current.write(message);
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  @Override
  public void onCompleted() {
    if (over) {
      return;
    }
    Path named;
    long bytes;
    try {
      GatheringWriter<IOException> current = writer(none);
      current.flush();
      closeFile();
      named = Objects.requireNonNull(target);
      Files.move(Objects.requireNonNull(temporary), named, StandardCopyOption.ATOMIC_MOVE);
      bytes = current.bytes();
    } catch (IOException | RuntimeException e) {
      fail(e);
      return;
    }
    over = true;
    whole.accept(named, bytes);
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
      if (writer != null && temporary != null) {
        writer.close();
        closeFile();
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    failed.accept(failure);
  }
}
