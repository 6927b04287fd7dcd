package dev.ferry.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ForecastTest {
  private static final String PLAIN = "plain";
  private static final String COMPRESSED = "compressed";

  private final HandClock clock = new HandClock();

  @Test
  void left_nothingRan_isTheGuess() {
    assertThat(forecast(2, plain("a"), compressed("b")).left()).isEqualTo(Duration.ofSeconds(60));
    assertThat(forecast(2).left()).isZero();
  }

  @Test
  void left_someRan_correctsTheOthersOfTheirKind() {
    List<Estimate.ForkEstimate> forks = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      forks.add(plain("plain " + i));
      forks.add(compressed("compressed " + i));
    }
    Forecast forecast = forecast(1, forks.toArray(Estimate.ForkEstimate[]::new));

    for (int i = 0; i < 6; i++) {
      run(forecast, "plain " + i, 10);
      run(forecast, "compressed " + i, 40);
    }

    // Guessed were 18 times 10 s and 18 times 20 s.
    assertThat((double) forecast.left().toSeconds()).isCloseTo(18 * 50, within(90.0));
    for (int i = 6; i < 24; i++) {
      run(forecast, "plain " + i, 10);
    }
    assertThat((double) forecast.left().toSeconds()).isCloseTo(18 * 40, within(90.0));
  }

  @Test
  void left_oneSlowFork_isNotWhatAllTake() {
    List<Estimate.ForkEstimate> forks = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      forks.add(plain("plain " + i));
    }
    forks.add(compressed("ceilings"));
    Forecast forecast = forecast(1, forks.toArray(Estimate.ForkEstimate[]::new));

    run(forecast, "ceilings", 60);

    assertThat(forecast.left()).isBetween(Duration.ofSeconds(100), Duration.ofSeconds(200));
  }

  @Test
  void left_secondRound_expectsWhatTheFirstTook() {
    Forecast forecast = forecast(3, plain("a"), plain("b"));

    run(forecast, "a", 7);
    run(forecast, "b", 19);

    assertThat(forecast.left()).isEqualTo(Duration.ofSeconds(2 * 7 + 2 * 19));
    run(forecast, "a", 9);
    assertThat(forecast.left()).isEqualTo(Duration.ofSeconds(8 + 2 * 19));
    run(forecast, "b", 19);
    run(forecast, "a", 8);
    run(forecast, "b", 19);
    assertThat(forecast.left()).isZero();
  }

  @Test
  void left_dropped_countsNoMore() {
    Forecast forecast = forecast(3, plain("a"), plain("b"));

    forecast.drop("b");
    assertThat(forecast.left()).isEqualTo(Duration.ofSeconds(30));
    run(forecast, "a", 10);
    forecast.drop("a");
    assertThat(forecast.left()).isZero();
  }

  @Test
  void end_unknownFork_isRefused() {
    assertThatThrownBy(() -> forecast(1, plain("a")).end("b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the run has no b");
  }

  private Forecast forecast(int rounds, Estimate.ForkEstimate... forks) {
    return new Forecast(List.of(forks), rounds, clock);
  }

  private static Estimate.ForkEstimate plain(String name) {
    return new Estimate.ForkEstimate(name, PLAIN, Duration.ofSeconds(10));
  }

  private static Estimate.ForkEstimate compressed(String name) {
    return new Estimate.ForkEstimate(name, COMPRESSED, Duration.ofSeconds(20));
  }

  private void run(Forecast forecast, String name, long seconds) {
    forecast.begin();
    clock.move(Duration.ofSeconds(seconds));
    forecast.end(name);
  }
}
