package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.Callers;
import dev.ferry.wire.ServerSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PasswordGuessesTest {
  private final long[] now = {Long.MAX_VALUE};
  private final PasswordGuesses guesses = new PasswordGuesses(() -> now[0]);
  private final InetAddress here = address("192.0.2.1");

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private @Nullable Duration waits(InetAddress address, String name) {
    FerryException refusal =
        catchThrowableOfType(
            FerryException.class,
            () -> {
              guesses.requireName(address, name);
              guesses.requireAddress(address);
            });
    if (refusal == null) {
      return null;
    }
    assertThat(refusal.kind()).isEqualTo(ErrorKind.OVERLOADED);
    return refusal.retryAfter();
  }

  @Test
  void wrong_often_makesWaitLongerEachTime() throws FerryException {
    for (int i = 1; i < PasswordGuesses.FREE_FOR_NAME; i++) {
      guesses.wrong(here, "alice");
      assertThat(waits(here, "alice")).isNull();
    }
    for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      guesses.wrong(here, "alice");
      assertThat(waits(here, "alice")).isEqualTo(Duration.ofSeconds(seconds));
      now[0] += Duration.ofSeconds(seconds).toNanos();
      assertThat(waits(here, "alice")).isNull();
    }
    guesses.right(here, "alice");
    guesses.wrong(here, "alice");
    assertThat(waits(here, "alice")).isNull();
  }

  @Test
  void wrong_ofOneName_keepsNobodyElseOut() throws FerryException {
    for (int i = 0; i < PasswordGuesses.FREE_FOR_NAME; i++) {
      guesses.wrong(here, "alice");
    }
    assertThat(waits(here, "alice")).isNotNull();
    assertThat(waits(here, "bob")).isNull();
    assertThat(waits(address("192.0.2.2"), "alice")).isNull();
  }

  @Test
  void wrong_ofManyNames_makesTheNetworkWait() throws FerryException {
    for (int i = 0; i < PasswordGuesses.FREE_FOR_ADDRESS; i++) {
      guesses.wrong(address("2001:db8::" + i), "name" + i);
    }
    assertThat(waits(address("2001:db8::ffff"), "other")).isEqualTo(Duration.ofSeconds(1));
    assertThat(waits(address("2001:db8:0:1::1"), "other")).isNull();
    now[0] += Duration.ofMinutes(11).toNanos();
    guesses.wrong(address("2001:db8::1"), "other");
    assertThat(waits(address("2001:db8::1"), "other")).isNull();
  }

  @Test
  void wrong_whileTheAddressWaits_countsForTheName() throws FerryException {
    for (int i = 0; i < PasswordGuesses.FREE_FOR_ADDRESS; i++) {
      guesses.wrong(here, "name" + i);
    }
    for (int i = 0; i < PasswordGuesses.FREE_FOR_NAME; i++) {
      assertThat(waits(here, "alice")).isEqualTo(Duration.ofSeconds(1));
      assertThat(catchThrowable(() -> guesses.wrong(here, "alice")))
          .isInstanceOf(FerryException.class);
    }
    assertThat(catchThrowable(() -> guesses.requireName(here, "alice")))
        .isInstanceOf(FerryException.class);
    guesses.requireName(here, "bob");
  }

  @Test
  void settings_ofTwoPorts_countGuessesTogether() throws FerryException {
    Callers callers = token -> null;
    ServerSettings settings = ServerSettings.defaults().withCallers(callers);
    CallerStores one = stores(settings.withHostNames(List.of("a.example")));
    CallerStores other = stores(settings);
    assertThat(one.guesses()).isSameAs(other.guesses());
  }

  private static CallerStores stores(ServerSettings settings) throws FerryException {
    return new CallerStores(
        LocalFileStore.open(Path.of("")),
        settings.callers(),
        new Refusals(),
        holder -> Runnable::run);
  }
}
