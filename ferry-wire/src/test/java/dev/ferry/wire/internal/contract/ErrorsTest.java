package dev.ferry.wire.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.CallReport;
import dev.ferry.core.internal.SystemError;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorsTest {
  /** What of a status reaches the other end: its code, description and trailers, not its cause. */
  private static StatusRuntimeException overTheWire(StatusRuntimeException sent) {
    return Status.fromCode(sent.getStatus().getCode())
        .withDescription(sent.getStatus().getDescription())
        .asRuntimeException(sent.getTrailers());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DEADLINE_EXCEEDED")
  void grpc_everyKind_comesBackAsItself(ErrorKind kind) {
    StatusRuntimeException sent =
        GrpcErrors.toStatus(new FerryException(kind, "a\r\n b: why"), "a");
    assertThat(sent.getStatus().getCode()).isEqualTo(GrpcErrors.grpcCode(kind));
    assertThat(sent.getStatus().isOk()).isFalse();
    FerryException back = GrpcErrors.fromStatus(overTheWire(sent), "a");
    assertThat(back.kind()).isEqualTo(kind);
    assertThat(back).hasMessage("a\r\n b: why");
  }

  @Test
  void fromStatus_ofADeadlineThatTheClientHasNotSet_isAStall() {
    FerryException silence = new FerryException(ErrorKind.DEADLINE_EXCEEDED, "sent no byte");
    CallReport unlimited = new CallReport("a", "host:7070", TransferOptions.DEFAULT, true);
    List<FerryException> failures =
        List.of(
            GrpcErrors.fromStatus(overTheWire(GrpcErrors.toStatus(silence, "a")), "a"),
            Errors.stated(ErrorKind.DEADLINE_EXCEEDED, "a", "sent no byte", null),
            // That of a proxy.
            GrpcErrors.fromStatus(
                Status.DEADLINE_EXCEEDED.withDescription("sent no byte").asRuntimeException(),
                unlimited));
    for (FerryException failure : failures) {
      assertThat(failure).hasMessage("a: sent no byte");
      assertThat(failure.outage()).isEqualTo(Outage.STALLED);
      assertThat(failure.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
    }
    CallReport timed =
        new CallReport(
            "a", "host:7070", TransferOptions.DEFAULT.withTimeout(Duration.ofSeconds(1)), true);
    FerryException overdue =
        GrpcErrors.fromStatus(Status.DEADLINE_EXCEEDED.asRuntimeException(), timed);
    assertThat(overdue.outage()).isEqualTo(Outage.OVERDUE);
    assertThat(overdue.kind()).isEqualTo(ErrorKind.DEADLINE_EXCEEDED);
  }

  @ParameterizedTest
  @EnumSource
  void http_everyKind_comesBackAsItself(ErrorKind kind) {
    int status = Errors.httpStatus(kind);
    assertThat(status).isBetween(400, 599);
    assertThat(Errors.fromHttp(status, Errors.problemType(kind))).isEqualTo(kind);
  }

  @ParameterizedTest
  @EnumSource
  void http_withoutAProblemType_isOfTheSameClass(ErrorKind kind) {
    int status = Errors.httpStatus(kind);
    assertThat(Errors.httpStatus(Errors.fromHttp(status, null)) / 100).isEqualTo(status / 100);
    assertThat(Errors.fromHttp(status, "about:blank")).isEqualTo(Errors.fromHttp(status, null));
    assertThat(Errors.fromHttp(status, "urn:ferry:error:not-known"))
        .isEqualTo(Errors.fromHttp(status, null));
  }

  @ParameterizedTest
  @EnumSource
  void fromStatus_ofAForeignPeer_goesByTheCode(Status.Code code) {
    FerryException back = GrpcErrors.fromStatus(code.toStatus().asRuntimeException(), "a");
    assertThat(back).hasMessageContaining("a: ");
    if (code != Status.Code.OK && code != Status.Code.UNIMPLEMENTED) {
      assertThat(GrpcErrors.fromStatus(new StatusException(code.toStatus()), "a").kind())
          .isEqualTo(back.kind());
    }
  }

  @Test
  void fromStatus_withLinesOfTheTransports_isOneLine() {
    Status reset = Status.CANCELLED.withDescription("Cancelled\nRst Stream");
    assertThat(GrpcErrors.fromStatus(reset.asRuntimeException(), "a"))
        .hasMessage("Cancelled; Rst Stream");
  }

  @Test
  void fromStatus_withALocalCause_isThatCause() {
    FerryException local = new FerryException(ErrorKind.OUT_OF_SPACE, "a: full");
    Status cancelled = Status.CANCELLED.withCause(local);
    assertThat(GrpcErrors.fromStatus(local, "a")).isSameAs(local);
    assertThat(GrpcErrors.fromStatus(cancelled.asRuntimeException(), "a")).isSameAs(local);
  }

  @Test
  void toStatus_ofFailuresOfAllSorts_hasTheirKind() {
    assertThat(GrpcErrors.toStatus(new NoSuchFileException("/srv/a"), "a").getStatus())
        .satisfies(
            status -> {
              assertThat(status.getCode()).isEqualTo(Status.Code.NOT_FOUND);
              assertThat(status.getDescription()).doesNotContain("/srv");
            });
    assertThat(GrpcErrors.toStatus(new IllegalStateException("x"), "a").getStatus().getCode())
        .isEqualTo(Status.Code.INTERNAL);
    StatusRuntimeException given = Status.ABORTED.asRuntimeException();
    assertThat(GrpcErrors.toStatus(given, "a")).isSameAs(given);
    assertThat(GrpcErrors.toStatus(Status.ABORTED.asException(), "a").getStatus().getCode())
        .isEqualTo(Status.Code.ABORTED);
  }

  @Test
  void toStatus_ofAVeryLongMessage_fitsTheTrailers() {
    String name = "日".repeat(4000);
    StatusRuntimeException sent =
        GrpcErrors.toStatus(new FerryException(ErrorKind.NOT_FOUND, name + ": no such file"), name);
    String description = Objects.requireNonNull(sent.getStatus().getDescription());
    assertThat(description).endsWith(": no such file").hasSizeLessThan(600);
    Metadata trailers = Objects.requireNonNull(sent.getTrailers());
    assertThat(trailers.get(GrpcErrors.KIND_TRAILER)).isEqualTo("not-found");
  }

  @Test
  void fromStatus_ofAReadThatFailedInOkHttp_isUnavailable() {
    Status status = Status.INTERNAL.withDescription("error in frame handler");
    assertThat(
            GrpcErrors.fromStatus(
                    status.withCause(new IOException("reset")).asRuntimeException(), "name")
                .kind())
        .isEqualTo(ErrorKind.UNAVAILABLE);
    assertThat(GrpcErrors.fromStatus(status.asRuntimeException(), "name").kind())
        .isEqualTo(ErrorKind.INTERNAL);
  }

  @Test
  void fromStatus_ofAResponseWithoutTrailers_isUnavailable() {
    StatusRuntimeException ended =
        Status.INTERNAL
            .withDescription("Received unexpected EOS on empty DATA frame from server")
            .asRuntimeException();
    assertThat(GrpcErrors.fromStatus(ended, "a").kind()).isEqualTo(ErrorKind.UNAVAILABLE);
  }

  @Test
  void fromStatus_ofAWriteToAClosedChannel_isUnavailable() {
    Status status = Status.UNKNOWN.withDescription("Channel closed but for unknown reason");
    assertThat(
            GrpcErrors.fromStatus(
                    status.withCause(new ClosedChannelException()).asRuntimeException(), "name")
                .kind())
        .isEqualTo(ErrorKind.UNAVAILABLE);
    assertThat(GrpcErrors.fromStatus(status.asRuntimeException(), "name").kind())
        .isEqualTo(ErrorKind.INTERNAL);
  }

  @Test
  void fromStatus_ofTooManyOpenFilesHere_saysHowToRaiseThem() {
    CallReport report = new CallReport("a", "host:7070", TransferOptions.DEFAULT, true);
    IOException here = new IOException("Too many open files");
    for (Status status : List.of(Status.UNKNOWN, Status.INTERNAL, Status.UNAVAILABLE)) {
      FerryException back =
          GrpcErrors.fromStatus(
              status.withCause(new IllegalStateException("no channel", here)).asRuntimeException(),
              report);
      assertThat(back.kind()).isEqualTo(ErrorKind.INTERNAL);
      assertThat(back).hasMessage("a: " + SystemError.RAISE_LIMIT);
    }
  }
}
