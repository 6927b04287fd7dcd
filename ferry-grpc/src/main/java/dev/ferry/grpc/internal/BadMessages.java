package dev.ferry.grpc.internal;

import dev.ferry.grpc.internal.message.ChunkMarshaller;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.contract.GrpcErrors;
import dev.ferry.zerocopy.ReadableRequests;
import io.grpc.StatusRuntimeException;

/**
 * Rejects an unreadable request with INVALID_ARGUMENT and the name of its method, and counts it.
 * Thread-safe.
 *
 * @param refusals counts the unreadable requests
 */
public record BadMessages(Refusals refusals) implements ReadableRequests.Refusal {
  @Override
  public StatusRuntimeException status(String method, RuntimeException failure) {
    refusals.count(Refusals.Reason.BAD_MESSAGE);
    return GrpcErrors.toStatus(ChunkMarshaller.failure(method, failure), "request");
  }
}
