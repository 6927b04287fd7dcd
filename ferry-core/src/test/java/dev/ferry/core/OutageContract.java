package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every carrier says, in the same words, of a server that cannot be reached, falls silent or
 * goes away, and that it does not wait for it for ever. To be subclassed for each client.
 *
 * <p>The tests wait more than they compute, and so do it together.
 */
@Timeout(300)
public abstract class OutageContract extends UploadResumeContract {
  private static final String OF_ALL = "\\d+\\.\\d MB of 96\\.0 MB";
  private static final Duration SHORT = Duration.ofMillis(800);

  private static final Duration PATIENT = Duration.ofMillis(1500);

  /** Half as long again is less than the faster of the slow transfers takes, which is 12 s. */
  private static final Duration MOST_PATIENT = PATIENT.multipliedBy(4);

  private static TransferOptions options(Duration stall) {
    // Without a digest, which a server may compute for as long as it likes.
    return TransferOptions.DEFAULT.withVerify(false).withMakeParents(true).withStallTimeout(stall);
  }

  /** A client with a proxy of its own. */
  private final class Line implements AutoCloseable {
    private final TcpProxy proxy = new TcpProxy(server.port());
    private final Carrier carrier = connect("127.0.0.1", proxy.port());

    Line() throws Exception {}

    /** One that falls silent in the middle. */
    Line thatFallsSilent() {
      proxy.holdAfter(SOME);
      return this;
    }

    /** One that lets one buffer pass each time. */
    Line thatIsSlow(long millis) {
      proxy.slow(millis);
      return this;
    }

    Background<Transfer> download(String to, TransferOptions options) {
      return Background.start(
          () -> carrier.download(StorePath.parse("big"), local.resolve(to), options));
    }

    Background<Transfer> upload(String to, TransferOptions options) {
      return Background.start(
          () -> carrier.upload(local.resolve("source"), StorePath.parse(to), options));
    }

    /** Waits until the proxy holds bytes back, and cuts the connection. */
    void cutInTheMiddle() throws Exception {
      proxy.awaitHeld();
      proxy.cut();
    }

    @Override
    public void close() throws Exception {
      // The server sees the end of a silent connection only when the proxy closes it.
      proxy.close();
      carrier.close();
    }
  }

  private static void assertOutage(FerryException failure, Outage outage, String message) {
    assertThat(failure.getMessage()).matches(message);
    assertThat(failure.outage()).as(failure.getMessage()).isEqualTo(outage);
    assertThat(failure.kind())
        .as(failure.getMessage())
        .isEqualTo(outage == Outage.OVERDUE ? ErrorKind.DEADLINE_EXCEEDED : ErrorKind.UNAVAILABLE);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void silence_inTheMiddleOfTransfers_endsThem() throws Exception {
    long millis = 1_200;
    List<FerryException> failures = failuresOfSilence(millis);
    // On a busy machine the first response may take longer. Then no transfer was in its middle.
    while (millis < 9_000 && failures.stream().anyMatch(f -> f.toString().contains("response"))) {
      millis *= 2;
      failures = failuresOfSilence(millis);
    }
    String time = String.format(Locale.ROOT, "%.1f s: ", millis / 1e3) + OF_ALL;
    assertOutage(failures.get(0), Outage.STALLED, "big: no byte for " + time);
    assertOutage(failures.get(1), Outage.STALLED, "new/file: no byte for " + time);
    assertOutage(failures.get(2), Outage.OVERDUE, "big: not finished in " + time);
    assertOutage(failures.get(3), Outage.OVERDUE, "timed/file: not finished in " + time);
  }

  /** Has transfers fall silent that may be so for so long, and others that may take so long. */
  private List<FerryException> failuresOfSilence(long millis) throws Exception {
    TransferOptions impatient = options(Duration.ofMillis(millis));
    TransferOptions timed = options(Duration.ZERO).withTimeout(Duration.ofMillis(millis));
    try (Line first = new Line().thatFallsSilent();
        Line second = new Line().thatFallsSilent();
        Line third = new Line().thatFallsSilent();
        Line fourth = new Line().thatFallsSilent()) {
      Background<Transfer> download = first.download("target", impatient);
      Background<Transfer> upload = second.upload("new/file", impatient);
      Background<Transfer> timedDownload = third.download("timed", timed);
      Background<Transfer> timedUpload = fourth.upload("timed/file", timed);
      List<FerryException> failures =
          List.of(
              download.failure(), upload.failure(), timedDownload.failure(), timedUpload.failure());
      TestFiles.awaitTree(local, "source");
      return failures;
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void silence_fromTheStart_endsCalls() throws Exception {
    Path small = TestFiles.write(temporary.resolve("small"), new byte[100]);
    try (Line line = new Line()) {
      line.proxy.hold();
      Carrier carrier = line.carrier;
      CallLimits limits = options(SHORT).limits();
      StorePath big = StorePath.parse("big");
      List<Callable<?>> calls =
          List.of(
              () -> carrier.stat(big, null, limits),
              () -> carrier.stat(big, Digest.Algorithm.SHA256, limits),
              () -> carrier.list(StorePath.ROOT, false, entry -> true, limits),
              () -> carrier.download(big, local.resolve("target"), options(SHORT)),
              () -> carrier.upload(small, StorePath.parse("new"), options(SHORT)));

      for (Background<?> call : calls.stream().map(Background::start).toList()) {
        assertOutage(
            call.failure(),
            Outage.STALLED,
            "(.*: )?no (response from 127\\.0\\.0\\.1:\\d+ for|byte for|response for) 800 ms"
                + "(: 0 of 100 bytes| after 100 of 100 bytes)?");
      }
    }
    Files.delete(small);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void slowServer_thatIsAlive_isNotCut() throws Exception {
    Duration patience = PATIENT;
    // A busy machine may keep the threads of a proxy waiting for longer than that.
    while (!outlastSilence(patience)) {
      patience = patience.multipliedBy(2);
      assertThat(patience).as("time without a byte").isLessThanOrEqualTo(MOST_PATIENT);
    }
  }

  /** Whether slow transfers with this much patience go on until a silent one has ended. */
  private boolean outlastSilence(Duration patience) throws Exception {
    // In a download each read is far smaller than a chunk, and two chunks, which may be one frame,
    // take 0.6 s. In an upload the kernel takes more in megabytes, once the other end has taken as
    // many.
    try (Line slow = new Line().thatIsSlow(10);
        Line faster = new Line().thatIsSlow(1);
        Line silent = new Line().thatFallsSilent()) {
      Background<Transfer> download = slow.download("target", options(patience));
      Background<Transfer> upload = faster.upload("new/file", options(patience));
      Duration longer = patience.multipliedBy(3).dividedBy(2);
      FerryException unused = silent.download("silent", options(longer)).failure();
      return isInterrupted(download) & isInterrupted(upload);
    }
  }

  /** Interrupts a transfer. Returns false if it has stalled before. */
  private static boolean isInterrupted(Background<Transfer> transfer) throws Exception {
    transfer.interrupt();
    FerryException failure = transfer.failure();
    boolean stalled = failure.outage() == Outage.STALLED;
    assertThat(stalled || failure.kind() == ErrorKind.CANCELLED).as(failure.getMessage()).isTrue();
    return !stalled;
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void cut_inTheMiddleOfTransfers_saysHowFarTheyGot() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    TransferOptions options = options(Duration.ZERO);
    TransferOptions noting =
        options.withProgress(
            (done, total) -> {
              if (done > 0) {
                begun.countDown();
              }
            });
    try (Line first = new Line().thatFallsSilent();
        Line second = new Line().thatFallsSilent()) {
      Background<Transfer> download = first.download("target", noting);
      Background<Transfer> upload = second.upload("new/file", options);
      begun.await();
      first.cutInTheMiddle();
      second.cutInTheMiddle();
      assertLost(download.failure(), "big");
      assertLost(upload.failure(), "new/file");
    }
  }

  private static void assertLost(FerryException failure, String name) {
    assertThat(failure.getMessage()).matches(name + ": connection lost after " + OF_ALL);
    assertThat(failure.outage()).isEqualTo(Outage.LOST);
    assertThat(failure.kind()).isIn(ErrorKind.UNAVAILABLE, ErrorKind.INCOMPLETE);
  }

  @ParameterizedTest
  @EnumSource(Digest.Algorithm.class)
  @Execution(ExecutionMode.CONCURRENT)
  void byte_thatChangesOnTheWay_isADigestMismatch(Digest.Algorithm algorithm) throws Exception {
    TransferOptions options = TransferOptions.DEFAULT.withDigest(algorithm);
    Path zeros = TestFiles.write(temporary.resolve("zeros"), new byte[300_000]);
    Path stored = TestFiles.age(Files.copy(zeros, root.resolve("zeros")));
    try (Line line = new Line()) {
      StorePath path = StorePath.parse("zeros");
      line.proxy.corruptZeros();
      Background<?> upload =
          Background.start(() -> line.carrier.upload(zeros, StorePath.parse("new"), options));
      assertMismatch(upload.failure(), algorithm);
      line.proxy.corruptZeros();
      Background<?> download =
          Background.start(() -> line.carrier.download(path, local.resolve("new"), options));
      assertMismatch(download.failure(), algorithm);
    }
    Files.delete(stored);
    Files.delete(zeros);
  }

  private static void assertMismatch(FerryException failure, Digest.Algorithm algorithm) {
    assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(ErrorKind.DIGEST_MISMATCH);
    assertThat(failure.getMessage()).contains("new: " + algorithm.label() + " is ");
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void nobody_listening_isRefused() throws Exception {
    try (RefusingPort refusing = new RefusingPort()) {
      int port = refusing.address().getPort();
      assertUnreachable(
          "127.0.0.1", port, Outage.REFUSED, "connection refused at 127\\.0\\.0\\.1:" + port);
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void unknown_host_isNamed() throws Exception {
    assertUnreachable(
        "no-such-host.invalid", 7070, Outage.NO_SUCH_HOST, "no-such-host\\.invalid: no such host");
  }

  private void assertUnreachable(String host, int port, Outage outage, String message)
      throws Exception {
    try (Carrier lonely = connect(host, port)) {
      TransferOptions options = options(Duration.ofSeconds(20));
      List<Callable<?>> calls =
          List.of(
              () -> lonely.stat(StorePath.parse("big"), null, CallLimits.DEFAULT),
              () -> lonely.list(StorePath.ROOT),
              () -> lonely.download(StorePath.parse("big"), local.resolve("target"), options),
              () -> lonely.upload(local.resolve("source"), StorePath.parse("new"), options));
      for (Callable<?> call : calls) {
        FerryException failure = Background.start(call).failure();
        assertOutage(failure, outage, message);
      }
    }
  }
}
