package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.message.ChunkCounters.Snapshot;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.internal.CallerStores;
import dev.ferry.wire.internal.DiskWorkers;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.Requests;
import dev.ferry.zerocopy.EventLoops;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transfers over a transport that hands nothing off: they copy where they must. */
class OtherTransportsTest {
  private static final int CHUNK = 65536;
  private static final int CHUNKS = 50;

  private final DiskWorkers blocking = DiskWorkers.start("test");
  @TempDir Path temporary;
  private Path root = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void makeFile() throws Exception {
    root = Files.createDirectory(temporary.resolve("store"));
    byte[] bytes = new byte[CHUNK * CHUNKS];
    new Random(1).nextBytes(bytes);
    file = Files.write(root.resolve("file"), bytes);
  }

  @AfterEach
  void stop() {
    blocking.stopNow();
  }

  @Test
  void inProcess_arrivesWholeAndCountsCopies() throws Exception {
    GrpcSetup setup = GrpcSetup.ofServer();
    CallerStores stores =
        new CallerStores(LocalFileStore.open(root), null, new Refusals(), blocking::of);
    Requests requests = new Requests(RequestListener.NONE);
    Server server =
        InProcessServerBuilder.forName("files")
            .addService(new FilesService(stores, setup, requests).bind())
            .build()
            .start();
    GrpcChannel channel =
        GrpcChannel.of(
            InProcessChannelBuilder.forName("files").build(),
            new EventLoops("test", 1),
            "in-process");
    try (GrpcCarrier carrier = new GrpcCarrier(channel, setup, null, false)) {
      TransferOptions options = TransferOptions.DEFAULT.withChunkSize(CHUNK);
      Path target = temporary.resolve("target");
      carrier.download(StorePath.parse("file"), target, options);
      assertThat(Files.mismatch(file, target)).isEqualTo(-1);
      carrier.upload(target, StorePath.parse("back"), options);
      assertThat(Files.mismatch(file, root.resolve("back"))).isEqualTo(-1);
    } finally {
      server.shutdownNow().awaitTermination();
    }
    assertThat(setup.format().counters().snapshot())
        .isEqualTo(new Snapshot(0, 2 * CHUNKS, 0, 0, 2 * CHUNKS));
  }
}
