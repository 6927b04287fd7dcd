package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Background;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An error of the JVM, such as one without memory, while a server works for a request. */
@Timeout(300)
final class ServerErrorTest {
  private static final StorePath NAME = new StorePath("f");

  @TempDir Path root;

  /** A store that has no memory for what takes a worker. */
  private FileStore exhausted() throws FerryException {
    return new ForwardingStore(LocalFileStore.open(root)) {
      private OutOfMemoryError error() {
        return new OutOfMemoryError("none of direct buffers");
      }

      @Override
      public FileFacts stat(StorePath path, Digest.Algorithm algorithm) {
        throw error();
      }

      @Override
      public Listing list(StorePath directory) {
        throw error();
      }

      @Override
      public void delete(StorePath path, @Nullable String version) {
        throw error();
      }
    };
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.web.internal.Ways#some")
  void request_withAnErrorOfTheServer_isToldAndLeavesNothing(Ways way) throws Exception {
    Files.writeString(root.resolve("f"), "hello");
    try (ServerPort server = way.serve(exhausted(), ServerSettings.defaults());
        Carrier carrier = way.connect(server.port(), null)) {
      List<Callable<?>> calls =
          List.of(
              () -> carrier.stat(NAME, Digest.Algorithm.SHA256, CallLimits.DEFAULT),
              () -> carrier.list(StorePath.ROOT),
              () -> {
                carrier.change(new Change.Delete(NAME, null), CallLimits.DEFAULT);
                return true;
              });
      for (Callable<?> call : calls) {
        assertThat(Background.start(call).failure().kind()).isEqualTo(ErrorKind.INTERNAL);
      }
      server.drain();
      assertThat(server.awaitRequests(Duration.ofMinutes(1))).isTrue();
    }
  }
}
