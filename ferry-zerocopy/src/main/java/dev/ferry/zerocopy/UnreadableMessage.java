package dev.ferry.zerocopy;

import com.google.protobuf.MessageLite;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Stands for a request that cannot be read. Only grpc-java sees the exception of a marshaller: it
 * would end the call without a reason for the client, and log a stack trace for each such request.
 * {@link ReadableRequests} ends the call instead.
 */
record UnreadableMessage<M extends MessageLite>(Status status) implements BytesMessage<M> {
  StatusRuntimeException failure() {
    return status.asRuntimeException();
  }

  @Override
  public M rest() {
    throw failure();
  }

  @Override
  public boolean hasBytes() {
    throw failure();
  }

  @Override
  public int length() {
    throw failure();
  }

  @Override
  public List<ByteBuffer> buffers() {
    throw failure();
  }

  @Override
  public ByteBuf toByteBuf() {
    throw failure();
  }

  @Override
  public M message() {
    throw failure();
  }

  @Override
  public void close() {}
}
