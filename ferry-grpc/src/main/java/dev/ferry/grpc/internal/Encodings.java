package dev.ferry.grpc.internal;

import dev.ferry.core.Compression;
import dev.ferry.wire.internal.v1.FilesGrpc;
import dev.ferry.wire.internal.v1.StatRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The message encodings that a peer accepts.
 *
 * @param names the names as in {@code grpc-accept-encoding}
 */
record Encodings(List<String> names) {
  private static final Metadata.Key<String> ACCEPT_ENCODING =
      Metadata.Key.of("grpc-accept-encoding", Metadata.ASCII_STRING_MARSHALLER);
  private static final int TIMEOUT_SECONDS = 5;

  /**
   * Returns the encodings that the sender of the headers accepts; empty if the headers do not state
   * them.
   */
  static Encodings accepted(@Nullable Metadata headers) {
    String names = headers == null ? null : headers.get(ACCEPT_ENCODING);
    return new Encodings(
        names == null
            ? List.of()
            : Arrays.stream(names.split(",", -1)).map(String::strip).toList());
  }

  /**
   * Returns the encodings that a server accepts. Every response states them, so this sends one
   * small request.
   */
  static Encodings ofServer(Channel channel) {
    AtomicReference<Metadata> headers = new AtomicReference<>();
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    Channel listening =
        ClientInterceptors.intercept(
            channel, MetadataUtils.newCaptureMetadataInterceptor(headers, trailers));
    try {
      StatRequest root = StatRequest.getDefaultInstance();
      CallOptions options =
          CallOptions.DEFAULT.withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      ClientCalls.blockingUnaryCall(listening, FilesGrpc.getStatMethod(), options, root);
    } catch (StatusRuntimeException e) {
      // The call that needs the encodings reports the error.
      return accepted(headers.get());
    }
    return accepted(headers.get());
  }

  boolean accept(Compression.Format format) {
    return names.contains(format.encoding());
  }
}
