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
  private @Nullable Part part;
  private boolean over;

  /** What was received so far: a file that does not have its name yet. */
  private record Part(
      Path target, Path temporary, FileChannel file, GatheringWriter<IOException> writer) {}

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

  private Part part(M first) throws IOException {
    Part current = part;
    if (current == null) {
      Path target = path.apply(first);
      Path temporary = target.resolveSibling("." + UUID.randomUUID() + ".part");
      FileChannel file = open(target, temporary);
      current = new Part(target, temporary, file, GatheringWriter.to(file));
      part = current;
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
    Part current;
    try {
      current = part(message.rest());
    } catch (IOException | RuntimeException | Error e) {
      message.close();
      fail(e);
      return;
    }
    try {
      current.writer().write(message);
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  @Override
  public void onCompleted() {
    if (over) {
      return;
    }
    Part current;
    try {
      current = part(none);
      current.writer().flush();
      current.file().close();
      Files.move(current.temporary(), current.target(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      fail(e);
      return;
    }
    over = true;
    whole.accept(current.target(), current.writer().bytes());
  }

  @Override
  public void onError(Throwable failure) {
    if (!over) {
      fail(failure);
    }
  }

  private void fail(Throwable failure) {
    over = true;
    try {
      if (part != null) {
        part.writer().close();
        part.file().close();
        Files.deleteIfExists(part.temporary());
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    failed.accept(failure);
  }
}
