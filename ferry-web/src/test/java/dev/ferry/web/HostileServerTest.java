package dev.ferry.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import dev.ferry.grpc.Method;
import dev.ferry.http.HttpProtocol;
import dev.ferry.net.AccessRules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
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
 * Answers that are not sound fail a call on the client with an error of the right kind, leave
 * nothing of it, and the client goes on.
 */
@ParameterizedClass(name = "{0} {1} {2}")
@CsvSource({
  "GRPC_WEB,HTTP_1_1,DEFAULT",
  "GRPC_WEB,H2C,RENTED_ARRAY",
  "GRPC_WEB_TEXT,HTTP_1_1,RENTED_ARRAY",
  "GRPC_WEB_TEXT,H2C,DEFAULT",
  "GRPC_WEB,HTTP_1_1,ZERO_COPY",
  "GRPC_WEB,H2C,ZERO_COPY",
  "GRPC_WEB_TEXT,HTTP_1_1,ZERO_COPY",
  "GRPC_WEB_TEXT,H2C,ZERO_COPY",
  "GRPC,H2C,DEFAULT",
  "GRPC,H2C,RENTED_ARRAY"
})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(30)
class HostileServerTest {
  @Parameter(0)
  WebFormat format = WebFormat.GRPC_WEB;

  @Parameter(1)
  HttpProtocol protocol = HttpProtocol.H2C;

  @Parameter(2)
  Method method = Method.DEFAULT;

  private final Server server =
      Server.builder().http(0).serviceUnder("/", (context, request) -> answered(request)).build();
  private final Map<List<?>, Carrier> carriers = new HashMap<>();
  private volatile Supplier<HttpResponse> answer = () -> HttpResponse.of(500);

  @BeforeAll
  void start() {
    server.start().join();
  }

  /** One for all tests with the same parameters, none of which may break it. */
  private Carrier carrier() {
    return carriers.computeIfAbsent(
        List.of(format, protocol, method),
        parameters ->
            WebCarrier.connect("127.0.0.1", server.activeLocalPort(), format, protocol, method));
  }

  private HttpResponse answered(HttpRequest request) {
    return HttpResponse.of(request.aggregate().thenApply(whole -> answer.get()));
  }

  @AfterAll
  void stop() {
    carriers.values().forEach(Carrier::close);
    server.stop().join();
  }

  @AfterEach
  void goesOn(@TempDir Path local) throws Exception {
    answer = () -> Fault.NONE.answer(format);
    Path target = local.resolve("target");
    carrier().download(StorePath.parse("f"), target, options(Duration.ofSeconds(10)));
    assertThat(target).hasBinaryContent(Fault.CONTENT);
  }

  private static TransferOptions options(Duration timeout) {
    return TransferOptions.DEFAULT.withVerify(false).withTimeout(timeout);
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void download_unsoundAnswer_failsAsSuchAndLeavesNothing(Fault fault, @TempDir Path local)
      throws Exception {
    if (fault == Fault.NONE || !fault.concerns(format)) {
      return;
    }
    answer = () -> fault.answer(format);
    StorePath path = StorePath.parse("f");
    Duration timeout = Duration.ofMillis(fault == Fault.STALLS ? 300 : 10_000);
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
    answer = () -> AccessGuard.answer(new AccessRules.Refusal(421, why), true);
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> carrier().stat(path, false),
            () -> carrier().download(path, local.resolve("t"), options(Duration.ofSeconds(10))),
            () -> carrier().upload(source, path, options(Duration.ofSeconds(10))))) {
      FerryException failure = catchThrowableOfType(FerryException.class, call);
      assertThat(failure).hasMessageContaining(why);
      assertThat(failure.kind()).isEqualTo(ErrorKind.INVALID_REQUEST);
    }
  }

  @Test
  void otherCalls_unsoundAnswer_fail(@TempDir Path local) throws Exception {
    Path source = Files.write(local.resolve("source"), new byte[100_000]);
    StorePath path = StorePath.parse("f");
    Set<Fault> faults =
        EnumSet.of(Fault.NO_STATUS, Fault.EMPTY, Fault.STRANGE_FLAGS, Fault.CLOSES, Fault.NO_GRPC);
    for (Fault fault : faults) {
      answer = () -> fault.answer(format);
      assertThat(catchThrowableOfType(FerryException.class, () -> carrier().stat(path, true)))
          .as("stat, %s", fault)
          .isNotNull();
      assertThat(
              catchThrowableOfType(
                  FerryException.class,
                  () -> carrier().upload(source, path, options(Duration.ofSeconds(10)))))
          .as("upload, %s", fault)
          .isNotNull();
    }
  }
}
