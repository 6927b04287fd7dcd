package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.wire.internal.contract.Limits;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class FrameAllowanceTest {
  private static final int INITIAL = 65_535;

  private long now;
  private int window = INITIAL;
  private final FrameAllowance allowance = new FrameAllowance(() -> now, () -> window);

  private int pingsUntilRefused() {
    int taken = 0;
    while (allowance.take(Http2FrameTypes.PING, 0, 8)) {
      taken++;
    }
    return taken;
  }

  @Test
  void take_idleClient_hasSomeInEachPeriod() {
    assertThat(pingsUntilRefused()).isEqualTo(FrameAllowance.FREE);
    now += TimeUnit.SECONDS.toNanos(9);
    assertThat(pingsUntilRefused()).isZero();
    now += TimeUnit.SECONDS.toNanos(1);
    assertThat(pingsUntilRefused()).isEqualTo(FrameAllowance.FREE);
  }

  @Test
  void take_aPingForEachFrameOfAnUpload_isNeverTooMany() {
    for (int i = 0; i < 100_000; i++) {
      assertThat(allowance.take(Http2FrameTypes.DATA, 0, 1)).isTrue();
      assertThat(allowance.take(Http2FrameTypes.PING, 0, 8)).isTrue();
      assertThat(allowance.take(Http2FrameTypes.PING, 1, 8)).isTrue();
    }
  }

  @Test
  void take_aPingForEachFrameOfADownload_isNeverTooMany() {
    for (int i = 0; i < 100_000; i++) {
      window -= 100;
      if (window < INITIAL / 2) {
        allowance.windowOpened(INITIAL - window);
        window = INITIAL;
      }
      assertThat(allowance.take(Http2FrameTypes.PING, 0, 8)).isTrue();
      assertThat(allowance.take(Http2FrameTypes.WINDOW_UPDATE, 0, 4)).isTrue();
      assertThat(allowance.take(Http2FrameTypes.WINDOW_UPDATE, 0, 4)).isTrue();
    }
  }

  @Test
  void take_windowsThatNobodyUsed_earnNothing() {
    pingsUntilRefused();
    allowance.windowOpened(1 << 30);
    window += 1 << 30;
    assertThat(pingsUntilRefused()).isZero();
  }

  @Test
  void take_callAfterCallWithItsManners_isNeverTooMany() {
    for (int i = 0; i < 100_000; i++) {
      assertThat(allowance.take(Http2FrameTypes.HEADERS, 4, 30)).isTrue();
      assertThat(allowance.take(Http2FrameTypes.DATA, 1, 0)).isTrue();
      assertThat(allowance.take(Http2FrameTypes.PRIORITY, 0, 5)).isTrue();
      assertThat(allowance.take(Http2FrameTypes.PING, 0, 8)).isTrue();
    }
  }

  @Test
  void take_callAfterCallThatIsReset_isTooMuch() {
    for (int period = 0; period < 2; period++) {
      for (int i = 0; i < Limits.MAX_RESETS; i++) {
        assertThat(allowance.take(Http2FrameTypes.HEADERS, 4, 30)).isTrue();
        assertThat(allowance.take(Http2FrameTypes.RST_STREAM, 0, 4)).isTrue();
        assertThat(allowance.takeReset()).isTrue();
      }
      assertThat(allowance.takeReset()).isFalse();
      now += Limits.RESETS_PERIOD.toNanos();
    }
  }

  @Test
  void take_dataOfPaddingAlone_movesNothing() {
    for (int i = 0; i < FrameAllowance.FREE; i++) {
      assertThat(allowance.take(Http2FrameTypes.DATA, 0x8, 256)).isTrue();
    }
    assertThat(allowance.take(Http2FrameTypes.DATA, 0x8, 256)).isFalse();
  }
}
