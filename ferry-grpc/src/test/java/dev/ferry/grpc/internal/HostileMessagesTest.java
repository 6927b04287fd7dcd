package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.TestFiles;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.Warnings;
import dev.ferry.wire.internal.v1.FilesGrpc;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that are no protobuf, to every call there is. */
@Timeout(300)
class HostileMessagesTest extends StockChannelHarness {
  /** A field of five bytes, of which there is none. */
  private static final byte[] NO_PROTOBUF = {0x0a, 5};

  private static final int RANDOM_MESSAGES = 100;

  private static Stream<MethodDescriptor<?, ?>> methods() {
    return Stream.of(
        FilesGrpc.getDownloadMethod(),
        FilesGrpc.getUploadMethod(),
        FilesGrpc.getStatMethod(),
        FilesGrpc.getListMethod(),
        HealthGrpc.getCheckMethod(),
        HealthGrpc.getWatchMethod(),
        ServerReflectionGrpc.getServerReflectionInfoMethod());
  }

  private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
    AS_THEY_ARE;

    @Override
    public InputStream stream(byte[] bytes) {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void send(MethodDescriptor<?, ?> descriptor, byte[] message) {
    MethodDescriptor<byte[], byte[]> raw =
        descriptor.toBuilder(Bytes.AS_THEY_ARE, Bytes.AS_THEY_ARE)
            .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
            .build();
    Iterator<byte[]> replies =
        ClientCalls.blockingServerStreamingCall(channel, raw, CallOptions.DEFAULT, message);
    if (replies.hasNext()) {
      replies.next();
    }
  }

  private static String said(MethodDescriptor<?, ?> called) {
    return called.getFullMethodName() + ": a message cannot be read: ";
  }

  @Test
  void message_noProtobuf_isAnInvalidArgumentOfItsMethod() throws Exception {
    try (Warnings warnings = new Warnings()) {
      List<MethodDescriptor<?, ?>> all = methods().toList();
      for (MethodDescriptor<?, ?> called : all) {
        assertThatThrownBy(() -> send(called, NO_PROTOBUF))
            .as(called.getFullMethodName())
            .satisfies(
                e -> {
                  Status status = Status.fromThrowable(e);
                  assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
                  assertThat(status.getDescription()).startsWith(said(called));
                });
      }
      assertThat(server.refused().of(Refusals.Reason.BAD_MESSAGE)).isEqualTo(all.size());
      assertThat(warnings.heard()).isEmpty();
    }
    TestFiles.awaitTree(root);
  }

  @Test
  void message_ofRandomBytes_isNobodysFaultButTheClients() throws Exception {
    Random random = new Random(17);
    try (Warnings warnings = new Warnings()) {
      for (MethodDescriptor<?, ?> called : methods().toList()) {
        for (int i = 0; i < RANDOM_MESSAGES; i++) {
          byte[] message = new byte[random.nextInt(40)];
          random.nextBytes(message);
          try {
            send(called, message);
          } catch (RuntimeException e) {
            assertThat(Status.fromThrowable(e).getCode())
                .as(called.getFullMethodName() + ": " + e.getMessage())
                .isNotIn(Status.Code.UNKNOWN, Status.Code.INTERNAL, Status.Code.UNAVAILABLE);
          }
        }
      }
      assertThat(warnings.heard()).isEmpty();
    }
  }
}
