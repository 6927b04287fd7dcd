package dev.ferry.web.internal;

import static dev.ferry.web.internal.Ways.GRPC;
import static dev.ferry.web.internal.Ways.WEB;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Background;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.core.local.StreamedDownload;
import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Digests that take so long that a test never sees their end, and what others get meanwhile. */
@Timeout(300)
final class LargeDigestsTest {
  /** No thread reads them in the time of a test. */
  private static final long HUGE = 1L << 40;

  /** More than a server has threads for anything. */
  private static final int REQUESTS = 5 * Runtime.getRuntime().availableProcessors() + 5;

  /** Requests for one file; the others are for one each. */
  private static final int FOR_ONE = REQUESTS / 2;

  private static final int FILES = REQUESTS - FOR_ONE;

  private static final StorePath LARGE = new StorePath("large");

  private static final byte[] CONTENT = TestFiles.random(9 << 20, 1);
  private static final Digest DIGEST = digest(CONTENT);

  @TempDir Path root;

  private final Semaphore computing = new Semaphore(0);
  private Runnable beforeDigest = () -> {};
  private final Semaphore begun = new Semaphore(0);
  private final RequestListener listener =
      new RequestListener() {
        @Override
        public void began(ServedRequest request) {
          begun.release();
        }

        @Override
        public void ended(EndedRequest request) {}
      };

  @BeforeEach
  void makeFiles() throws IOException {
    for (int i = 0; i < FILES; i++) {
      TestFiles.sparse(root.resolve("huge" + i), HUGE);
    }
    Files.write(root.resolve("large"), CONTENT);
  }

  private static Digest digest(byte[] content) {
    Sha256.Running digest = new Sha256.Running();
    digest.add(ByteBuffer.wrap(content));
    return digest.finish();
  }

  private ServerPort serve(Ways way) throws IOException {
    FileStore store =
        new ForwardingStore(LocalFileStore.open(root)) {
          @Override
          public FileFacts stat(StorePath path, Digest.Algorithm algorithm) throws FerryException {
            computing.release();
            beforeDigest.run();
            return store().stat(path, algorithm);
          }

          @Override
          public FileFacts readNow(StorePath path, Digest.Algorithm algorithm)
              throws FerryException {
            computing.release();
            beforeDigest.run();
            return store().readNow(path, algorithm);
          }
        };
    return way.serve(store, ServerSettings.defaults().withListener(listener));
  }

  private static @Nullable Digest digest(Carrier carrier, StorePath path) throws IOException {
    return carrier.stat(path, Digest.Algorithm.SHA256, CallLimits.DEFAULT).sha256();
  }

  private static @Nullable Digest readNow(Carrier carrier, StorePath path, long size)
      throws IOException {
    return carrier.readNow(path, size, Digest.Algorithm.SHA256, CallLimits.DEFAULT).sha256();
  }

  private static StorePath huge(int request) {
    return new StorePath("huge" + Math.max(0, request - FOR_ONE));
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.web.internal.Ways#some")
  void stat_digestsOfLargeFiles_keepNothingFromOthersAndEndWithTheirClients(Ways way)
      throws Exception {
    try (ServerPort server = serve(way);
        Carrier other = way.connect(server.port(), null)) {
      List<Carrier> clients = new ArrayList<>();
      List<Background<@Nullable Digest>> calls = new ArrayList<>();
      for (int i = 0; i < REQUESTS; i++) {
        StorePath path = huge(i);
        Carrier client = way.connect(server.port(), null);
        clients.add(client);
        boolean now = i % 2 == 0;
        calls.add(Background.start(() -> now ? readNow(client, path, HUGE) : digest(client, path)));
      }
      begun.acquire(REQUESTS);

      assertThat(other.list(StorePath.ROOT)).hasSize(FILES + 1);

      for (int i = 0; i < REQUESTS; i++) {
        calls.get(i).interrupt();
        clients.get(i).close();
      }
      TestFiles.awaitNothingOpen(root);
      assertThat(digest(other, LARGE)).isEqualTo(DIGEST);
      assertThat(readNow(other, LARGE, CONTENT.length)).isEqualTo(DIGEST);
    }
  }

  /** Ways that compress. By default that of gRPC alone, whose server works as that of gRPC-Web. */
  private static Stream<Ways> compressing() {
    return Boolean.getBoolean("ferry.thorough") ? Stream.of(GRPC, WEB) : Stream.of(GRPC);
  }

  /** What is compressed is not read in order, so its SHA-256 is computed beside it. */
  @ParameterizedTest
  @MethodSource("compressing")
  void download_digestsOfLargeCompressedFiles_keepNothingFromOthersAndEndWithTheirClients(Ways way)
      throws Exception {
    TransferOptions options =
        TransferOptions.DEFAULT.withGzip(true).withDigest(Digest.Algorithm.SHA256);
    Semaphore receiving = new Semaphore(0);
    OutputStream slow =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            receiving.release();
            try {
              new Semaphore(0).acquire();
            } catch (InterruptedException e) {
              throw new InterruptedIOException();
            }
          }
        };
    try (ServerPort server = serve(way);
        Carrier other = way.connect(server.port(), null)) {
      List<Carrier> clients = new ArrayList<>();
      List<Background<Transfer>> calls = new ArrayList<>();
      for (int i = 0; i < REQUESTS; i++) {
        StreamedDownload download =
            new StreamedDownload(huge(i), Channels.newChannel(slow), "nowhere", options);
        Carrier client = way.connect(server.port(), null);
        clients.add(client);
        calls.add(Background.start(() -> download.attempt(client)));
      }
      receiving.acquire(REQUESTS);

      assertThat(other.list(StorePath.ROOT)).hasSize(FILES + 1);

      for (int i = 0; i < REQUESTS; i++) {
        calls.get(i).interrupt();
        clients.get(i).close();
      }
      TestFiles.awaitNothingOpen(root);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      StreamedDownload whole =
          new StreamedDownload(LARGE, Channels.newChannel(out), "memory", options);
      assertThat(whole.attempt(other).facts().sha256()).isEqualTo(DIGEST);
      whole.verify();
    }
  }

  @ParameterizedTest
  @MethodSource("compressing")
  void download_compressedFileThatIsReplacedMeanwhile_isWhole(Ways way) throws Exception {
    Path large = root.resolve("large");
    beforeDigest =
        () -> {
          try {
            Files.move(
                Files.write(root.resolve("new"), new byte[9 << 20]), large, REPLACE_EXISTING);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    Path copy = root.resolve("copy");
    try (ServerPort server = serve(way);
        Carrier carrier = way.connect(server.port(), null)) {
      TransferOptions options =
          TransferOptions.DEFAULT.withGzip(true).withDigest(Digest.Algorithm.SHA256);
      assertThat(carrier.download(LARGE, copy, options).facts().sha256()).isEqualTo(DIGEST);
    }
    assertThat(Sha256.ofFile(copy)).isEqualTo(DIGEST);
  }

  @ParameterizedTest
  @EnumSource
  void endRequests_digestOfALargeFile_endsIt(Ways way) throws Exception {
    try (ServerPort server = serve(way);
        Carrier carrier = way.connect(server.port(), null)) {
      Background<@Nullable Digest> call = Background.start(() -> digest(carrier, huge(0)));
      computing.acquire();
      server.endRequests();
      assertThat(call.failure().kind()).isEqualTo(ErrorKind.UNAVAILABLE);
      TestFiles.awaitNothingOpen(root);
    }
  }

  @Test
  void get_cutBeforeItsDigestIsKnown_endsIt() throws Exception {
    String want = "Host: localhost\r\nWant-Unencoded-Digest: sha-256=10\r\n\r\n";
    try (ServerPort server = serve(Ways.HTTP)) {
      for (int i = 0; i < REQUESTS; i++) {
        try (RawHttp raw = new RawHttp(server.port())) {
          raw.send("GET /files/" + huge(i) + " HTTP/1.1\r\n" + want);
          raw.readUntil("\r\n\r\n");
        }
      }
      TestFiles.awaitNothingOpen(root);
      try (Carrier carrier = Ways.HTTP.connect(server.port(), null)) {
        assertThat(digest(carrier, LARGE)).isEqualTo(DIGEST);
      }
    }
  }
}
