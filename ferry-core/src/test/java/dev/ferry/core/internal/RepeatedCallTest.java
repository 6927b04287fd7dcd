package dev.ferry.core.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.core.Retries;
import dev.ferry.core.StubCarrier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RepeatedCallTest {
  private static final FerryException LOST =
      new FerryException(ErrorKind.UNAVAILABLE, Outage.LOST, "lost", null);

  private final Recorded carriers = new Recorded();

  /** Writes down what is done with the carriers. */
  private static final class Recorded implements Carriers {
    private final List<String> events = new ArrayList<>();

    private static Carrier named(String name) {
      return new StubCarrier() {
        @Override
        public String toString() {
          return name;
        }
      };
    }

    @Override
    public Carrier take() {
      events.add("take");
      return named("taken");
    }

    @Override
    public Carrier connect() {
      events.add("connect");
      return named("new");
    }

    @Override
    public void release(Carrier carrier, boolean sound) {
      events.add("release " + carrier + (sound ? "" : " unsound"));
    }
  }

  private <T> T run(RepeatedCall.Attempt<T> attempt) throws FerryException {
    Retries retries = Retries.of(3, Duration.ZERO).withListener((failure, delay) -> {});
    return RepeatedCall.begin(carriers, retries, null).run(attempt, () -> 0);
  }

  @Test
  void run_success_keepsTheCarrier() throws Exception {
    String result = run((carrier, left) -> carrier.toString());

    assertThat(result).isEqualTo("taken");
    assertThat(carriers.events).containsExactly("take", "release taken");
  }

  @Test
  void run_afterAFailure_hasAnotherCarrier() throws Exception {
    boolean[] failed = new boolean[1];
    String result =
        run(
            (carrier, left) -> {
              if (!failed[0]) {
                failed[0] = true;
                throw LOST;
              }
              return carrier.toString();
            });

    assertThat(result).isEqualTo("new");
    assertThat(carriers.events)
        .containsExactly("take", "release taken unsound", "connect", "release new");
  }

  @ParameterizedTest
  @CsvSource({
    "NOT_FOUND,,release taken",
    "ALREADY_EXISTS,,release taken",
    "UNAVAILABLE,,release taken unsound",
    "CANCELLED,,release taken unsound",
    "INTERNAL,,release taken unsound",
    "UNAVAILABLE,UNTRUSTED,release taken unsound"
  })
  void run_failsAtOnce_keepsTheCarrierIfTheServerHasAnswered(
      ErrorKind kind, @Nullable Outage outage, String released) {
    FerryException failure = new FerryException(kind, outage, "failed", null);
    assertThatThrownBy(
            () ->
                run(
                    (carrier, left) -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(carriers.events).containsExactly("take", released);
  }

  @Test
  void run_mayNotRepeat_failsAsItIs() {
    RepeatedCall call = RepeatedCall.begin(carriers, Retries.of(3, Duration.ZERO), null);
    assertThatThrownBy(
            () ->
                call.run(
                    (carrier, left) -> {
                      throw LOST;
                    },
                    () -> 0,
                    failure -> false))
        .isSameAs(LOST);
    assertThat(carriers.events).containsExactly("take", "release taken unsound");
  }
}
