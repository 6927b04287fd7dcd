package dev.ferry.zerocopy;

import com.google.protobuf.MessageLite;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;

/**
 * Ends a call with a reason if one of its requests cannot be read. The handler of the call sees
 * that it is cancelled.
 */
record ReadableRequests<M extends MessageLite, R>(ServerCallHandler<BytesMessage<M>, R> handler)
    implements ServerCallHandler<BytesMessage<M>, R> {
  @Override
  public ServerCall.Listener<BytesMessage<M>> startCall(
      ServerCall<BytesMessage<M>, R> call, Metadata headers) {
    return new SimpleForwardingServerCallListener<>(handler.startCall(call, headers)) {
      private boolean refused;

      @Override
      public void onMessage(BytesMessage<M> message) {
        if (refused) {
          message.close();
        } else if (message instanceof UnreadableMessage<M> unreadable) {
          refused = true;
          call.close(unreadable.status(), new Metadata());
          super.onCancel();
        } else {
          super.onMessage(message);
        }
      }

      @Override
      public void onHalfClose() {
        if (!refused) {
          super.onHalfClose();
        }
      }

      @Override
      public void onReady() {
        if (!refused) {
          super.onReady();
        }
      }

      @Override
      public void onCancel() {
        if (!refused) {
          super.onCancel();
        }
      }

      @Override
      public void onComplete() {
        if (!refused) {
          super.onComplete();
        }
      }
    };
  }
}
