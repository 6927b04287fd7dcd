package dev.ferry.core.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Errors in this program, which has two artifacts of Netty and no other library. */
final class LibraryTest {
  @Test
  void failure_ofALibraryThatIsMissing_saysWhatToDependOn() {
    NoClassDefFoundError error = new NoClassDefFoundError("com/fasterxml/jackson/core/JsonFactory");

    FerryException failure = Library.failure(error);

    assertThat(failure)
        .hasCause(error)
        .hasMessageMatching(
            "Ferry needs Jackson (\\S+) or newer, and this program has no jackson-core, no"
                + " jackson-databind: depend on com\\.fasterxml\\.jackson\\.core:jackson-core:\\1");
    assertThat(failure.kind()).isEqualTo(ErrorKind.INTERNAL);
  }

  @Test
  void failure_ofAnArtifactThatIsMissing_saysWhichOne() {
    assertThat(Library.failure(new NoSuchMethodError("'void io.netty.channel.Channel.a()'")))
        .hasMessageMatching(
            "Ferry needs Netty (\\S+) or newer, and this program has .*no netty-transport, .*:"
                + " depend on io\\.netty:netty-codec-http:\\1");
  }

  @Test
  void failure_ofAClassOfTheUser_isTheErrorItself() {
    assertThat(Library.failure(new NoClassDefFoundError("org/example/io/netty/Missing")))
        .hasMessage("java.lang.NoClassDefFoundError: org/example/io/netty/Missing");
  }

  /** The JVM names the field alone. */
  @Test
  void reason_ofAFieldThatIsMissing_isGuessedIfCodeOfALibraryUsesIt() {
    NoSuchFieldError error = new NoSuchFieldError("FIELD");
    error.setStackTrace(stack("io.grpc.netty.NettyServerBuilder"));
    assertThat(Library.reason(new IOException(error)))
        .hasValueSatisfying(reason -> assertThat(reason).startsWith("Ferry needs Netty "));

    error.setStackTrace(stack("org.example.Program"));
    assertThat(Library.reason(new IOException(error))).isEmpty();
  }

  private static StackTraceElement[] stack(String type) {
    return new StackTraceElement[] {new StackTraceElement(type, "run", null, 1)};
  }

  @Test
  void reason_ofAFailureOfAnotherKind_isNone() {
    assertThat(Library.reason(new IOException("io.netty.channel.Channel"))).isEmpty();
  }
}
