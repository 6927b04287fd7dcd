package dev.ferry.cli;

import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.TransferOptions;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Time for questions that have no limit of their own. Whoever asks for too long loses the
 * connection.
 *
 * @param limit null means any
 */
record TimeLimit(@Nullable Duration limit) {
  /** What a transfer may take in all, and how long its server may be silent. */
  static TimeLimit of(TransferOptions options) {
    Duration all = options.timeout();
    Duration silence = options.stallTimeout().isZero() ? null : options.stallTimeout();
    if (all == null || silence == null) {
      return new TimeLimit(all == null ? silence : all);
    }
    return new TimeLimit(all.compareTo(silence) < 0 ? all : silence);
  }

  /** Questions and their answers. */
  @FunctionalInterface
  interface Questions {
    void ask() throws FerryException;
  }

  /**
   * Asks on the calling thread.
   *
   * @param name what is asked about
   * @throws FerryException with {@link ErrorKind#DEADLINE_EXCEEDED} where it took too long; the
   *     connection is closed then
   */
  void ask(Carrier connection, String name, Questions questions) throws FerryException {
    Duration most = limit;
    if (most == null) {
      questions.ask();
      return;
    }
    CountDownLatch answered = new CountDownLatch(1);
    AtomicBoolean late = new AtomicBoolean();
    Thread watch =
        new Thread(
            () -> {
              if (!await(answered, most)) {
                late.set(true);
                connection.close();
              }
            },
            "ferry-time-limit");
    watch.setDaemon(true);
    watch.start();
    try {
      questions.ask();
    } catch (FerryException e) {
      throw late.get()
          ? new FerryException(
              ErrorKind.DEADLINE_EXCEEDED, name + ": no answer in " + inWords(most), e)
          : e;
    } finally {
      answered.countDown();
    }
  }

  private static String inWords(Duration time) {
    long millis = time.toMillis();
    return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
  }

  private static boolean await(CountDownLatch answered, Duration most) {
    try {
      return answered.await(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }
}
