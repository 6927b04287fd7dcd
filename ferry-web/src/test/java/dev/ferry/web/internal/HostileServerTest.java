package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import dev.ferry.http.HttpProtocol;
import dev.ferry.web.WebFiles;
import dev.ferry.web.WebFormat;
import dev.ferry.wire.internal.AccessRules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Malformed responses fail a call on the client with an error of the right kind, leave nothing of
 * it, and the client goes on.
 */
@ParameterizedClass(name = "{0} {1}")
@CsvSource({"GRPC_WEB,HTTP_1_1", "GRPC_WEB,H2C", "GRPC_WEB_TEXT,HTTP_1_1", "GRPC_WEB_TEXT,H2C"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class HostileServerTest {
  private static final Duration HANG = Duration.ofSeconds(60);

  @Parameter(0)
  WebFormat format = WebFormat.GRPC_WEB;

  @Parameter(1)
  HttpProtocol protocol = HttpProtocol.H2C;

  private final HostileServer server;
  private final Map<List<?>, Carrier> carriers = new HashMap<>();

  HostileServerTest() throws FerryException {
    server = new HostileServer();
  }

  /** One for all tests with the same parameters, none of which may break it. */
  private Carrier carrier() {
    return carriers.computeIfAbsent(
        List.of(format, protocol),
        parameters -> WebFiles.connect("127.0.0.1", server.port(), format, protocol));
  }

  @AfterAll
  void stop() {
    carriers.values().forEach(Carrier::close);
    server.close();
  }

  @AfterEach
  void goesOn(@TempDir Path local) throws Exception {
    server.respondWith(() -> Fault.NONE.response(format));
    Path target = local.resolve("target");
    carrier().download(StorePath.parse("f"), target, options(HANG));
    assertThat(target).binaryContent().isEqualTo(Fault.CONTENT);
  }

  private static TransferOptions options(Duration timeout) {
    return TransferOptions.DEFAULT.withVerify(false).withTimeout(timeout);
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void download_malformedResponse_failsAsSuchAndLeavesNothing(Fault fault, @TempDir Path local)
      throws Exception {
    if (fault == Fault.NONE || !fault.concerns(format)) {
      return;
    }
    server.respondWith(() -> fault.response(format));
    StorePath path = StorePath.parse("f");
    Duration timeout = fault == Fault.STALLS ? Duration.ofMillis(300) : HANG;
    FerryException failure =
        catchThrowableOfType(
            FerryException.class,
            () -> carrier().download(path, local.resolve("target"), options(timeout)));
    assertThat(failure).isNotNull();
    assertThat(failure.kind()).as(failure.getMessage()).isIn(fault.kinds());
    assertThat(failure.getMessage()).doesNotContain("\n");
    TestFiles.awaitTree(local);
  }

  @Test
  void anyCall_hostThatTheServerDoesNotKnow_saysWhatTheServerSaid(@TempDir Path local)
      throws Exception {
    Path source = Files.write(local.resolve("source"), new byte[100_000]);
    StorePath path = StorePath.parse("f");
    String why = "'x' is not known as a name of this server";
    Map<String, String> fields = new HashMap<>();
    StatusFields.of(new AccessRules.Refusal(421, why))
        .forEach(field -> fields.put(field.getKey(), field.getValue()));
    server.respondWith(
        () -> new HostileServer.Response(421, fields, new byte[0], HostileServer.End.ORDERLY));
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> carrier().stat(path, null, CallLimits.DEFAULT),
            () -> carrier().download(path, local.resolve("t"), options(HANG)),
            () -> carrier().upload(source, path, options(HANG)))) {
      FerryException failure = catchThrowableOfType(FerryException.class, call);
      assertThat(failure).hasMessageContaining(why);
      assertThat(failure.kind()).isEqualTo(ErrorKind.INVALID_REQUEST);
    }
  }

  @Test
  void otherCalls_malformedResponse_fail(@TempDir Path local) throws Exception {
    Path source = Files.write(local.resolve("source"), new byte[100_000]);
    StorePath path = StorePath.parse("f");
    Set<Fault> faults =
        EnumSet.of(Fault.NO_STATUS, Fault.EMPTY, Fault.STRANGE_FLAGS, Fault.CLOSES, Fault.NO_GRPC);
    for (Fault fault : faults) {
      server.respondWith(() -> fault.response(format));
      assertThat(
              catchThrowableOfType(
                  FerryException.class,
                  () -> carrier().stat(path, Digest.Algorithm.SHA256, CallLimits.DEFAULT)))
          .as("stat, %s", fault)
          .isNotNull();
      assertThat(
              catchThrowableOfType(
                  FerryException.class, () -> carrier().upload(source, path, options(HANG))))
          .as("upload, %s", fault)
          .isNotNull();
    }
  }
}
