package dev.ferry.suites.calls.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ConcurrencyLimiterTest {
  private static final long BYTES = 1_000_000;

  private final ConcurrencyLimiter room = new ConcurrencyLimiter(2, BYTES);

  private static void assertOverloaded(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.OVERLOADED))
        .hasMessageContaining("try again");
  }

  @Test
  void enter_whereAllRun_isRefusedUntilOneLeaves() throws Exception {
    room.enter();
    room.enter();
    assertOverloaded(room::enter);
    assertThat(room.calls()).isEqualTo(2);
    room.leave();
    room.enter();
    assertThat(room.calls()).isEqualTo(2);
  }

  @Test
  void take_ofWhatDoesNotFit_isRefusedUntilThereIsRoom() throws Exception {
    long taken = room.take(600_000);
    assertOverloaded(() -> room.take(400_001));
    assertThat(room.take(400_000)).isEqualTo(400_000);
    assertThat(room.bytes()).isEqualTo(BYTES);
    room.give(taken);
    assertThat(room.bytes()).isEqualTo(400_000);
    assertThat(room.take(400_001)).isPositive();
  }

  @Test
  void take_ofMoreThanAllThereIs_isTakenWhereNothingWaits() throws Exception {
    long taken = room.take(5 * BYTES);
    assertThat(taken).isEqualTo(5 * BYTES);
    assertOverloaded(() -> room.take(20_000));
    room.give(taken);
    assertThat(room.bytes()).isZero();
  }

  @Test
  void take_ofAShortResponse_takesNothingAndIsNeverRefused() throws Exception {
    room.take(BYTES);
    long taken = room.take(16 * 1024);
    assertThat(taken).isZero();
    room.give(taken);
    assertThat(room.bytes()).isEqualTo(BYTES);
  }

  @Test
  void take_byManyAtOnce_neverExceedsTheBoundAndLosesNothing() throws Exception {
    AtomicBoolean exceeded = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    for (int i = 0; i < 4; i++) {
      threads.execute(
          () -> {
            for (int j = 0; j < 20_000; j++) {
              try {
                long taken = room.take(300_000);
                exceeded.compareAndSet(false, room.bytes() > BYTES);
                room.give(taken);
              } catch (FerryException e) {
                Thread.onSpinWait();
              }
            }
          });
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    assertThat(exceeded).isFalse();
    assertThat(room.bytes()).isZero();
  }
}
