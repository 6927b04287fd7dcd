package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.ferry.core.Carrier;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** When an upload is checked. {@link TransferCommandsTest} has the results, over each carrier. */
final class UploadCheckTest {
  @Test
  void require_newFileInAFolder_asksForBothInOneRoundTrip() throws Exception {
    StorePath target = StorePath.parse("folder/file");
    try (Carrier server = new AnswersTwoAtOnce()) {
      UploadCheck check = new UploadCheck(server, CreateOptions.DEFAULT);

      assertThatCode(() -> check.require(target)).doesNotThrowAnyException();
    }
  }

  /** A server with a folder that answers no request before there are two. */
  private static final class AnswersTwoAtOnce implements Carrier {
    private static final int PATIENCE_SECONDS = 20;

    private final CyclicBarrier requests = new CyclicBarrier(2);

    @Override
    public FileFacts stat(StorePath path, boolean digest) throws FerryException {
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

    @Override
    public FileFacts stat(StorePath path, Digest.Algorithm algorithm) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Transfer download(StorePath path, Path target, TransferOptions options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Transfer upload(Path source, StorePath path, TransferOptions options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void list(StorePath directory, Predicate<FileFacts> entries) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void limitCalls(TransferOptions limits) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }
}
