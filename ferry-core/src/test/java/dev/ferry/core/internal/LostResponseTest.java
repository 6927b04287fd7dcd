package dev.ferry.core.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.core.StorePath;
import dev.ferry.core.StubCarrier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LostResponseTest {
  @ParameterizedTest
  @CsvSource({
    "UNAVAILABLE,,true",
    "UNAVAILABLE,LOST,true",
    "UNAVAILABLE,STALLED,true",
    "UNAVAILABLE,FOREIGN,true",
    "DEADLINE_EXCEEDED,OVERDUE,true",
    "UNAVAILABLE,REFUSED,false",
    "UNAVAILABLE,NO_CONNECTION,false",
    "OVERLOADED,,false",
    "NOT_FOUND,,false"
  })
  void change_isThereAfterAFailure_isDoneIfItMayHaveBeenMadeBefore(
      ErrorKind kind, @Nullable Outage outage, boolean done) {
    LostResponse lost = new LostResponse();
    FerryException first = new FerryException(kind, outage, "first", null);
    FerryException second = new FerryException(ErrorKind.NOT_FOUND, "second");
    assertThat(failure(lost, first)).isSameAs(first);
    assertThat(failure(lost, second)).isSameAs(done ? null : second);
  }

  /** Sends a change that fails, although it is there. */
  private static @Nullable Throwable failure(LostResponse lost, FerryException failure) {
    Carrier failing =
        new StubCarrier() {
          @Override
          public void change(Change change, CallLimits limits) throws FerryException {
            throw failure;
          }
        };
    Change change = new Change.Delete(StorePath.ROOT, null);
    return catchThrowable(() -> lost.change(failing, change, ErrorKind.NOT_FOUND, () -> true));
  }
}
