package dev.ferry.cli.operate;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class LineQueueTest {
  private static final Duration NEVER = Duration.ofMinutes(1);

  /** Takes no line before its reader comes, and heeds no interrupt, as the pipes of processes. */
  private static final class Pipe implements LineQueue.Target {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch reader = new CountDownLatch(1);

    @Override
    public void append(byte[] line) {
      begun.countDown();
      while (reader.getCount() > 0) {
        Thread.onSpinWait();
      }
      lines.add(new String(line, US_ASCII));
    }

    @Override
    public byte[] ofLost(long count) {
      return ("lost " + count).getBytes(US_ASCII);
    }
  }

  private static void add(LineQueue queue, String line) {
    queue.add(line.getBytes(US_ASCII));
  }

  @Test
  void add_whileNobodyReads_losesWhatIsTooMuchAndSaysSo() throws Exception {
    Pipe pipe = new Pipe();
    LineQueue queue = LineQueue.start("test", pipe, 10);
    add(queue, "a");
    assertThat(pipe.begun.await(1, TimeUnit.MINUTES)).isTrue();
    add(queue, "0123456789");
    add(queue, "b");
    add(queue, "c");
    assertThat(queue.lost()).isEqualTo(2);

    pipe.reader.countDown();
    assertThat(queue.end(NEVER)).isTrue();

    assertThat(pipe.lines).containsExactly("a", "lost 2", "0123456789");
  }

  @Test
  void end_whileNobodyReads_waitsNoLongerThanItMay() throws Exception {
    Pipe pipe = new Pipe();
    LineQueue queue = LineQueue.start("test", pipe, 10);
    add(queue, "a");
    assertThat(pipe.begun.await(1, TimeUnit.MINUTES)).isTrue();

    assertThat(queue.end(Duration.ofMillis(1))).isFalse();

    pipe.reader.countDown();
  }
}
