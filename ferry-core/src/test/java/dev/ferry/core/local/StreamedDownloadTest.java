package dev.ferry.core.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.Outage;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.StorePath;
import dev.ferry.core.StubCarrier;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class StreamedDownloadTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final List<Duration> allowed = new ArrayList<>();

  /** Loses each connection at once. */
  private final class Lost extends StubCarrier {
    @Override
    public Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
        throws FerryException {
      allowed.add(Objects.requireNonNull(options.timeout()));
      throw new FerryException(ErrorKind.UNAVAILABLE, Outage.LOST, "file: lost", null);
    }
  }

  @Test
  void attempts_haveOneTimeoutTogether() throws Exception {
    StreamedDownload download =
        new StreamedDownload(
            StorePath.parse("file"),
            Channels.newChannel(new ByteArrayOutputStream()),
            "the target",
            TransferOptions.DEFAULT.withTimeout(TIMEOUT));
    for (int i = 0; i < 2; i++) {
      assertThat(catchThrowable(() -> download.attempt(new Lost())))
          .isInstanceOf(FerryException.class);
    }
    assertThat(allowed).hasSize(2).allMatch(time -> time.compareTo(TIMEOUT) <= 0);
    assertThat(allowed.get(1)).isLessThan(allowed.get(0));
  }

  /** What a receiver gets of a file, and how the call ends. */
  @FunctionalInterface
  private interface Sending {
    Transfer to(PartReceiver receiver) throws FerryException;
  }

  private static Carrier sending(Sending sending) {
    return new StubCarrier() {
      @Override
      public Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
          throws FerryException {
        return sending.to(receiver);
      }
    };
  }

  private static StreamedDownload to(WritableByteChannel out) throws FerryException {
    TransferOptions options = TransferOptions.DEFAULT.withVerify(false);
    return new StreamedDownload(StorePath.parse("file"), out, "the target", options);
  }

  private static FileFacts facts(long size) {
    return new FileFacts("file", size, FileFacts.UNKNOWN_TIME, false, null).withVersion("1");
  }

  private static Transfer lose() throws FerryException {
    throw new FerryException(ErrorKind.UNAVAILABLE, Outage.LOST, "file: lost", null);
  }

  private static void assertKind(ErrorKind kind, Throwable failure) {
    assertThat(failure)
        .isInstanceOfSatisfying(FerryException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  @Test
  void attempt_aShorterPartThanIsMissing_isNotTheFile() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StreamedDownload download = to(Channels.newChannel(out));
    Carrier first =
        sending(
            receiver -> {
              receiver.whole(facts(10)).write(ByteBuffer.allocate(4));
              return lose();
            });
    assertKind(ErrorKind.UNAVAILABLE, catchThrowable(() -> download.attempt(first)));
    Carrier second =
        sending(
            receiver -> {
              FileSink sink = receiver.part(facts(10), 3);
              sink.write(ByteBuffer.allocate(3));
              FileFacts facts = sink.commit(3, null);
              return new Transfer(facts, 3, "stub", "identity");
            });

    assertKind(ErrorKind.INCOMPLETE, catchThrowable(() -> download.attempt(second)));
    assertThat(out.size()).isEqualTo(4);
  }

  @Test
  void write_moreThanWasAnnounced_isNotPassedOn() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Carrier carrier =
        sending(
            receiver -> {
              FileSink sink = receiver.whole(facts(3));
              sink.expect(3);
              sink.write(ByteBuffer.allocate(2));
              sink.write(ByteBuffer.allocate(2));
              return lose();
            });

    assertKind(
        ErrorKind.INCOMPLETE, catchThrowable(() -> to(Channels.newChannel(out)).attempt(carrier)));
    assertThat(out.size()).isEqualTo(2);
  }

  @Test
  void write_targetThatThrowsOrIsInterrupted_isAFailureWithItsCause() throws Exception {
    Carrier carrier =
        sending(
            receiver -> {
              receiver.whole(facts(3)).write(ByteBuffer.allocate(3));
              return lose();
            });
    RuntimeException broken = new IllegalStateException("broken");
    Throwable failure = catchThrowable(() -> to(throwing(broken)).attempt(carrier));
    assertKind(ErrorKind.INTERNAL, failure);
    assertThat(failure).hasMessageContaining("the target: ").hasCause(broken);

    // As a pipe does, which clears the interrupt status.
    IOException interrupted = new InterruptedIOException();
    assertKind(
        ErrorKind.CANCELLED, catchThrowable(() -> to(throwing(interrupted)).attempt(carrier)));
    assertThat(Thread.interrupted()).isTrue();
  }

  private static WritableByteChannel throwing(Exception failure) {
    return new WritableByteChannel() {
      @Override
      public int write(ByteBuffer source) throws IOException {
        if (failure instanceof IOException e) {
          throw e;
        }
        throw (RuntimeException) failure;
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() {}
    };
  }
}
