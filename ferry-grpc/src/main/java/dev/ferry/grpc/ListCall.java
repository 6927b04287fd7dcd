package dev.ferry.grpc;

import dev.ferry.contract.Errors;
import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.contract.v1.ListReply;
import dev.ferry.contract.v1.ListRequest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.Iterator;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A client's list: messages are asked for one by one, and one ahead of the entries. */
final class ListCall {
  private ListCall() {}

  /** As {@link dev.ferry.core.Carrier#list}, on the calling thread. */
  static void run(Channel channel, StorePath directory, Predicate<FileFacts> entries)
      throws FerryException {
    ClientCall<ListRequest, ListReply> call =
        channel.newCall(FilesGrpc.getListMethod(), CallOptions.DEFAULT);
    ListRequest request = ListRequest.newBuilder().setPath(directory.value()).build();
    boolean over = false;
    try {
      Iterator<ListReply> messages = ClientCalls.blockingServerStreamingCall(call, request);
      ListReply message = next(messages, directory);
      while (message != null) {
        for (var entry : message.getEntriesList()) {
          if (!entries.test(Facts.fromMessage(entry))) {
            return;
          }
        }
        message = next(messages, directory);
      }
      over = true;
    } finally {
      if (!over) {
        cancel(call);
      }
    }
  }

  private static @Nullable ListReply next(Iterator<ListReply> messages, StorePath directory)
      throws FerryException {
    try {
      return messages.hasNext() ? messages.next() : null;
    } catch (StatusRuntimeException e) {
      throw Thread.currentThread().isInterrupted()
          ? new FerryException(ErrorKind.CANCELLED, directory + ": cancelled", e)
          : Errors.fromStatus(e, directory.value());
    } catch (RejectedExecutionException e) {
      // The event loops ended while the entries of the last message were read.
      throw new FerryException(ErrorKind.CANCELLED, directory + ": the carrier was closed", e);
    }
  }

  private static void cancel(ClientCall<?, ?> call) {
    try {
      call.cancel("the list is not read on", null);
    } catch (RejectedExecutionException e) {
      // The carrier was closed, and the call with it.
      return;
    }
  }
}
