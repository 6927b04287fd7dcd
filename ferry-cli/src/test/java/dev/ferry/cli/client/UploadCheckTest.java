package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.StubCarrier;
import java.time.Instant;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When an upload is checked. {@link TransferCommandsTest} has the results, over each carrier. */
final class UploadCheckTest {
  @Test
  void require_newFileInAFolder_asksForBothInOneRoundTrip() throws Exception {
    StorePath target = StorePath.parse("folder/file");
    try (Carrier server = new AnswersTwoAtOnce()) {
      UploadCheck check = new UploadCheck(server, CreateOptions.DEFAULT, CallLimits.DEFAULT, "");

      assertThatCode(() -> check.require(target)).doesNotThrowAnyException();
    }
  }

  /** A server with a folder that answers no request before there are two. */
  private static final class AnswersTwoAtOnce extends StubCarrier {
    private static final int PATIENCE_SECONDS = 120;

    private final CyclicBarrier requests = new CyclicBarrier(2);

    @Override
    public FileFacts stat(StorePath path, Digest.@Nullable Algorithm digest, CallLimits limits)
        throws FerryException {
      try {
        int unused = requests.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
        throw new FerryException(ErrorKind.UNAVAILABLE, path + ": asked for alone", e);
      }
      if (path.value().equals("folder")) {
        return new FileFacts("folder", 0, Instant.EPOCH, true, null);
      }
      throw new FerryException(ErrorKind.NOT_FOUND, path + ": no such file");
    }
  }
}
