package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.internal.RepeatedCall;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RetriesTest {
  private static final FerryException LOST = outage(Outage.LOST);

  private final FakeTiming timing = new FakeTiming();
  private int calls;

  private static FerryException outage(Outage outage) {
    return new FerryException(ErrorKind.UNAVAILABLE, outage, "f: " + outage, null);
  }

  private Retries retries(int most, Duration longest) {
    return Retries.of(most, longest).withTiming(timing);
  }

  private FerryException failure(Retries retries, FerryException failure) {
    return catchThrowableOfType(
        FerryException.class,
        () ->
            call(
                retries,
                null,
                () -> {
                  calls++;
                  throw failure;
                }));
  }

  private static <T> T call(Retries retries, @Nullable Duration timeout, Retries.Call<T> call)
      throws FerryException {
    Carriers carriers = Carriers.of(new StubCarrier(), StubCarrier::new);
    return RepeatedCall.begin(carriers, retries, timeout)
        .run((carrier, left) -> call.run(), () -> 0);
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  @Test
  void call_lostEachTime_waitsTwiceAsLongAtMostAndSaysHowOftenItTried() {
    FerryException failure = failure(retries(7, Duration.ZERO), LOST);
    assertThat(failure).hasMessage("f: LOST; gave up after 8 attempts").hasCause(LOST);
    assertThat(failure.kind()).isEqualTo(LOST.kind());
    assertThat(failure.outage()).isEqualTo(LOST.outage());
    assertThat(calls).isEqualTo(8);
    assertThat(timing.slept)
        .containsExactlyElementsOf(
            Stream.of(1, 2, 4, 8, 16, 30, 30).map(Duration::ofSeconds).toList());
  }

  @Test
  void call_withJitter_waitsAnyPartOfThat() {
    timing.random = 0.25;
    failure(retries(2, Duration.ZERO), LOST);
    assertThat(timing.slept).containsExactly(Duration.ofMillis(250), Duration.ofMillis(500));
  }

  @Test
  void call_thatSucceedsAtLast_returnsItsResult() throws Exception {
    int result =
        call(
            retries(3, Duration.ZERO),
            null,
            () -> {
              if (++calls < 3) {
                throw LOST;
              }
              return calls;
            });
    assertThat(result).isEqualTo(3);
  }

  @Test
  void call_noRetries_failsAsItIs() {
    assertThat(failure(Retries.NONE, LOST)).isSameAs(LOST);
    assertThat(calls).isEqualTo(1);
  }

  @Test
  void call_serverStatesATime_waitsThatLongAndTheJitter() {
    FerryException busy =
        new FerryException(ErrorKind.OVERLOADED, "f: overloaded").withRetryAfter(seconds(40));
    failure(retries(2, Duration.ZERO), busy);
    assertThat(timing.slept).containsExactly(seconds(41), seconds(42));
  }

  @Test
  void call_oneOfSeveralServersFails_waitsFromTheSecondFailureOn() {
    FerryException busy = new FerryException(ErrorKind.UNAVAILABLE, "f: is shutting down");
    failure(retries(3, Duration.ZERO), busy.withRetryAfter(seconds(40)).withOtherServers());
    assertThat(timing.slept).containsExactly(seconds(0), seconds(42), seconds(44));
  }

  @Test
  void call_serverStatesATimeThatIsTooLong_fails() {
    FerryException busy =
        new FerryException(ErrorKind.OVERLOADED, "f: overloaded").withRetryAfter(seconds(3600));
    assertThat(failure(retries(2, Duration.ZERO), busy)).isSameAs(busy);
  }

  @Test
  void call_serverStatesATimeBeyondTheClock_fails() {
    FerryException busy =
        new FerryException(ErrorKind.OVERLOADED, "f: overloaded")
            .withRetryAfter(Duration.ofDays(8000 * 365L));
    assertThat(failure(retries(2, Duration.ZERO), busy)).isSameAs(busy);
  }

  @Test
  void anew_withoutLimit_endsAfterFiveAttempts() throws Exception {
    FerryException changed = new FerryException(ErrorKind.FILE_CHANGED, "f: changed");
    Retries.Attempts attempts = retries(Integer.MAX_VALUE, seconds(600)).begin(null);
    for (int i = 0; i < 5; i++) {
      attempts.anew(changed);
    }
    assertThatThrownBy(() -> attempts.anew(changed))
        .hasMessage("f: changed; gave up after 6 attempts");
  }

  @Test
  void call_timeWithoutProgressOver_fails() {
    failure(retries(Integer.MAX_VALUE, seconds(40)), LOST);
    assertThat(timing.slept).last().isEqualTo(seconds(16));
    assertThat(calls).isEqualTo(6);
  }

  @Test
  void call_timeoutOver_fails() {
    FerryException failure =
        catchThrowableOfType(
            FerryException.class,
            () ->
                call(
                    retries(9, Duration.ZERO),
                    seconds(3),
                    () -> {
                      calls++;
                      throw LOST;
                    }));
    assertThat(failure).hasMessage("f: LOST; gave up after 3 attempts");
  }

  @Test
  void again_afterProgress_countsFromTheStart() throws Exception {
    Retries.Attempts attempts = retries(2, Duration.ZERO).begin(null);
    for (int i = 0; i < 10; i++) {
      attempts.again(LOST, true);
      attempts.again(LOST, false);
    }
    assertThat(timing.slept).containsOnly(seconds(1), seconds(2)).hasSize(20);
  }

  @ParameterizedTest
  @EnumSource
  void call_failureThatIsNotOfTheConnection_isNotRepeated(ErrorKind kind) {
    FerryException failure = new FerryException(kind, "f: " + kind);
    assertThat(failure(retries(5, Duration.ZERO), failure)).isSameAs(failure);
    assertThat(calls).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void call_eachOutage_isRepeatedIfItMayBeOverSoon(Outage outage) {
    failure(retries(1, Duration.ZERO), outage(outage));
    boolean passing =
        switch (outage) {
          case REFUSED, NO_ROUTE, NO_CONNECTION, LOST, STALLED -> true;
          case NO_SUCH_HOST, NO_TLS, UNTRUSTED, OVERDUE, FOREIGN -> false;
        };
    assertThat(calls).isEqualTo(passing ? 2 : 1);
  }

  @Test
  void again_nameNotResolvedAfterItWas_isRepeated() throws Exception {
    Retries.Attempts attempts = retries(2, Duration.ZERO).begin(null);
    attempts.again(LOST, true);
    attempts.again(outage(Outage.NO_SUCH_HOST), false);
    assertThat(timing.slept).hasSize(2);
  }

  @Test
  void call_interruptedWhileItWaits_isCancelled() {
    Thread.currentThread().interrupt();
    FerryException failure = failure(retries(2, Duration.ZERO), LOST);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(failure.kind()).isEqualTo(ErrorKind.CANCELLED);
    assertThat(failure).hasMessage("f: LOST; cancelled");
    assertThat(calls).isEqualTo(1);
  }

  @Test
  void call_listenerThatThrows_endsWithThat() {
    FerryException other = new FerryException(ErrorKind.UNAVAILABLE, "no Ferry server");
    Retries retries =
        retries(2, Duration.ZERO)
            .withListener(
                (failure, delay) -> {
                  assertThat(failure).isSameAs(LOST);
                  assertThat(delay).isEqualTo(seconds(1));
                  throw other;
                });
    assertThat(failure(retries, LOST)).isSameAs(other);
  }

  @Test
  void of_negative_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Retries.of(-1, Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> Retries.of(1, seconds(-1)));
  }

  @Test
  void times_beyondAnyLife_areNoLimit() {
    Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
    CallLimits limits = new CallLimits(forever, forever);

    assertThat(limits).isEqualTo(new CallLimits(null, Duration.ZERO));
    assertThat(failure(retries(1, forever), LOST)).hasMessage("f: LOST; gave up after 2 attempts");
  }
}
