package dev.ferry.grpc.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.internal.CallReport;
import dev.ferry.core.internal.StallWatch;
import dev.ferry.wire.internal.contract.GrpcErrors;
import dev.ferry.wire.internal.v1.FilesGrpc;
import dev.ferry.wire.internal.v1.ListReply;
import dev.ferry.wire.internal.v1.ListRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A list call of a client. It requests two messages at the start and one more after each processed
 * message, so one message is always requested ahead.
 */
final class ListCall implements ClientResponseObserver<ListRequest, ListReply> {
  private static final int AHEAD = 2;

  private final CallReport report;
  private final BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();
  private @Nullable ClientCallStreamObserver<ListRequest> stream;

  /**
   * The last element of the queue: the failure of the call, or null if the stream ended normally.
   */
  private record End(@Nullable Throwable failure) {}

  private ListCall(CallReport report) {
    this.report = report;
  }

  /**
   * See {@link dev.ferry.core.Carrier#list}. The entries are passed to the predicate on the calling
   * thread.
   *
   * @param tree whether to list the whole tree
   * @param options the deadline, and a meter that tells the watch of the report what arrives
   * @return false, without an entry, if the server does not list trees
   */
  static boolean run(
      boolean tree,
      Channel channel,
      CallOptions options,
      CallReport report,
      Predicate<FileFacts> entries)
      throws FerryException {
    ClientCall<ListRequest, ListReply> call = channel.newCall(FilesGrpc.getListMethod(), options);
    ListRequest request =
        ListRequest.newBuilder().setPath(report.name()).setRecursive(tree).build();
    ListCall list = new ListCall(report);
    boolean over = false;
    try {
      ClientCalls.asyncServerStreamingCall(call, request, list);
      ListReply first = list.next();
      boolean known = first == null || first.getRecursive() == tree;
      over = known && list.give(first, entries);
      return known;
    } finally {
      if (!over) {
        cancel(call);
      }
    }
  }

  /** Returns whether all entries were passed on; false if the predicate stopped the list. */
  private boolean give(@Nullable ListReply first, Predicate<FileFacts> entries)
      throws FerryException {
    for (ListReply message = first; message != null; message = next()) {
      for (var entry : message.getEntriesList()) {
        if (!give(Facts.fromMessage(entry), entries)) {
          return false;
        }
      }
      requestOne();
    }
    return true;
  }

  private boolean give(FileFacts entry, Predicate<FileFacts> entries) {
    StallWatch watch = report.watch();
    watch.working(true);
    try {
      return entries.test(entry);
    } finally {
      watch.working(false);
    }
  }

  private @Nullable ListReply next() throws FerryException {
    Object next;
    try {
      next = await();
    } catch (InterruptedException e) {
      throw FerryException.interrupted(report.name() + ": cancelled", e);
    }
    if (next instanceof ListReply message) {
      return message;
    }
    Throwable failure = ((End) next).failure();
    if (failure != null) {
      throw GrpcErrors.fromStatus(failure, report);
    }
    return null;
  }

  private Object await() throws InterruptedException, FerryException {
    StallWatch watch = report.watch();
    if (!watch.limited()) {
      return arrived.take();
    }
    while (true) {
      Object next = arrived.poll(watch.interval(), TimeUnit.NANOSECONDS);
      if (next != null) {
        return next;
      }
      if (watch.look(watch.interval())) {
        throw report.stalled();
      }
    }
  }

  private void requestOne() throws FerryException {
    try {
      if (stream != null) {
        stream.request(1);
      }
    } catch (RejectedExecutionException e) {
      // The event loops terminated while the entries of the last message were processed.
      throw new FerryException(ErrorKind.CANCELLED, report.name() + ": the client was closed", e);
    }
  }

  private static void cancel(ClientCall<?, ?> call) {
    try {
      call.cancel("the list is not read on", null);
    } catch (RejectedExecutionException e) {
      // The carrier was closed, which ended the call.
      return;
    }
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<ListRequest> started) {
    stream = started;
    started.disableAutoRequestWithInitial(AHEAD);
  }

  @Override
  public void onNext(ListReply message) {
    arrived.add(message);
  }

  @Override
  public void onError(Throwable failure) {
    arrived.add(new End(failure));
  }

  @Override
  public void onCompleted() {
    arrived.add(new End(null));
  }
}
