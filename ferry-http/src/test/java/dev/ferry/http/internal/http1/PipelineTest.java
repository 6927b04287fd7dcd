package dev.ferry.http.internal.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Carrier;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.Round;
import dev.ferry.core.StorePath;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestBatch;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferBatch.Item;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.ForwardingSink;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.HttpFiles;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are sent before the responses to those before them, and what becomes of them. */
@Timeout(300)
final class PipelineTest {
  private static final int FILES = 400;

  /** Those whose connections are cut again and again. */
  private static final int CUT = Round.times(100, FILES);

  /** What a connection carries at least before it is cut: at most a few files fail by that. */
  private static final long LEAST_BYTES = 3_000;

  private static final TransferOptions NEW =
      TransferOptions.DEFAULT.withMakeParents(true).withCreateOnly(true);

  @TempDir Path root;
  @TempDir Path local;

  private static byte[] content(int i) {
    byte[] bytes = new byte[i % 50 == 0 ? 40_000 : 37 * i % 3000];
    new Random(i).nextBytes(bytes);
    return bytes;
  }

  /** Names that would break a head, a path or a shell. */
  private static StorePath path(int i) {
    return new StorePath("t/d%d/a%%b +?#&;'\"\\ \n\r\t: ü日😀 %d".formatted(i % 5, i));
  }

  private Path file(int i) {
    return local.resolve("f" + i);
  }

  private ServerPort serve(@Nullable Stored counted) throws Exception {
    var store = LocalFileStore.open(root);
    return HttpFiles.serve(
        counted == null ? store : counted.over(store), "127.0.0.1", 0, ServerSettings.defaults());
  }

  private static Carrier connect(int port) {
    return Http1Carrier.connect("127.0.0.1", port, "", null, null);
  }

  /** Counts the files that a store has taken. */
  private static final class Stored {
    private final Map<String, AtomicInteger> commits = new ConcurrentHashMap<>();

    ForwardingStore over(LocalFileStore store) {
      return new ForwardingStore(store) {
        @Override
        public FileSink create(StorePath path, CreateOptions options) throws FerryException {
          return new ForwardingSink(super.create(path, options)) {
            @Override
            public FileFacts commit(long size, @Nullable Digest digest) throws FerryException {
              FileFacts facts = super.commit(size, digest);
              commits.computeIfAbsent(path.value(), p -> new AtomicInteger()).incrementAndGet();
              return facts;
            }
          };
        }
      };
    }
  }

  private TestBatch uploads(int files) throws Exception {
    TestBatch batch = TestBatch.ofUploads();
    for (int i = 0; i < files; i++) {
      Files.write(file(i), content(i));
      batch.add(path(i), file(i), content(i).length, NEW);
    }
    return batch;
  }

  private static TestBatch downloads(Path to, int files) {
    TestBatch batch = TestBatch.ofDownloads();
    for (int i = 0; i < files; i++) {
      batch.add(path(i), to.resolve("f" + i), content(i).length, NEW);
    }
    return batch;
  }

  /** Bytes after which connections are cut, as often in a smaller batch as in one of all files. */
  private static long scaled(long each) {
    return Math.max(LEAST_BYTES, each * CUT / FILES);
  }

  private static void readHead(InputStream in) throws Exception {
    int last = 0;
    for (int ends = 0; ends < 2; ) {
      int b = in.read();
      assertThat(b).as("a whole head").isNotNegative();
      ends = b == '\n' ? ends + 1 : b == '\r' && last == '\n' ? ends : 0;
      last = b;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void batch_ofServerThatAnswersAtTheEnd_sendsAllBefore(boolean upload) throws Exception {
    int files = 100;
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Carrier carrier = connect(listener.getLocalPort())) {
      CompletableFuture<Void> server =
          CompletableFuture.runAsync(
              () -> {
                try (Socket socket = listener.accept()) {
                  for (int i = 0; i < files; i++) {
                    readHead(socket.getInputStream());
                  }
                  String response = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
                  OutputStream out = socket.getOutputStream();
                  out.write(response.repeat(files).getBytes(StandardCharsets.US_ASCII));
                  out.flush();
                  assertThat(socket.getInputStream().read()).isNegative();
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              });
      TestBatch batch = upload ? TestBatch.ofUploads() : TestBatch.ofDownloads();
      Path empty = Files.createFile(local.resolve("empty"));
      for (int i = 0; i < files; i++) {
        batch.add(path(i), upload ? empty : local.resolve("d" + i), 0, NEW.withDigest(null));
      }
      carrier.transferAll(batch);
      assertThat(batch.results().values()).hasSize(files).hasOnlyElementsOfType(Transfer.class);
      carrier.close();
      server.join();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {3_000, 20_000, 100_003})
  void uploads_overConnectionsThatAreCut_storeEachFileOnce(long each) throws Exception {
    Stored stored = new Stored();
    try (ServerPort server = serve(stored);
        TcpProxy requests = new TcpProxy(server.port());
        TcpProxy responses = new TcpProxy(requests.port());
        Carrier carrier = connect(responses.port())) {
      requests.cutRequestsEach(13 * scaled(each));
      responses.cutEach(scaled(each));
      TestBatch batch = uploads(CUT);
      carrier.transferAll(batch);
      assertThat(batch.results()).hasSize(CUT);
      for (int i = 0; i < CUT; i++) {
        String name = path(i).value();
        if (batch.failure(name) == null) {
          assertThat(root.resolve(name)).binaryContent().isEqualTo(content(i));
          assertThat(stored.commits.get(name)).hasValue(1);
        }
      }
      assertGaveUpOnlyByOutage(batch, CUT);
    }
    assertNothingHalf(root);
  }

  @ParameterizedTest
  @ValueSource(longs = {3_000, 50_000, 300_007})
  void downloads_overConnectionsThatAreCut_writeEachFile(long each) throws Exception {
    try (ServerPort server = serve(null);
        TcpProxy proxy = new TcpProxy(server.port());
        Carrier direct = connect(server.port());
        Carrier carrier = connect(proxy.port())) {
      TestBatch uploads = uploads(CUT);
      direct.transferAll(uploads);
      assertThat(uploads.results().values()).hasOnlyElementsOfType(Transfer.class);
      proxy.cutEach(scaled(each));
      Path back = Files.createDirectory(local.resolve("back"));
      TestBatch batch = downloads(back, CUT);
      carrier.transferAll(batch);
      assertThat(batch.results()).hasSize(CUT);
      for (int i = 0; i < CUT; i++) {
        if (batch.failure(path(i).value()) == null) {
          assertThat(back.resolve("f" + i)).binaryContent().isEqualTo(content(i));
        } else {
          assertThat(back.resolve("f" + i)).doesNotExist();
        }
      }
      assertGaveUpOnlyByOutage(batch, CUT);
      assertNothingHalf(back);
    }
  }

  /** Files fail only if two connections were cut at them. Most do not. */
  private static void assertGaveUpOnlyByOutage(TestBatch batch, int files) {
    List<String> failures = new ArrayList<>();
    for (String name : batch.results().keySet()) {
      FerryException failure = batch.failure(name);
      if (failure != null) {
        assertThat(failure.outage()).as(failure.getMessage()).isNotNull();
        failures.add(String.valueOf(failure.getMessage()));
      }
    }
    assertThat(failures).hasSizeLessThan(files / 4);
  }

  private static void assertNothingHalf(Path folder) throws Exception {
    try (Stream<Path> files = Files.walk(folder)) {
      assertThat(files.filter(f -> f.getFileName().toString().startsWith(".ferry-"))).isEmpty();
    }
  }

  @Test
  void upload_whoseResponseIsLost_isNotReportedAsThere() throws Exception {
    AtomicInteger created = new AtomicInteger();
    LocalFileStore store = LocalFileStore.open(root);
    TcpProxy[] line = new TcpProxy[1];
    ForwardingStore cutting =
        new ForwardingStore(store) {
          @Override
          public FileSink create(StorePath path, CreateOptions options) throws FerryException {
            return new ForwardingSink(super.create(path, options)) {
              @Override
              public FileFacts commit(long size, @Nullable Digest digest) throws FerryException {
                FileFacts facts = super.commit(size, digest);
                if (created.incrementAndGet() == 20) {
                  line[0].cut();
                }
                return facts;
              }
            };
          }
        };
    Files.createDirectories(root.resolve(path(30).value()).getParent());
    Files.write(root.resolve(path(30).value()), new byte[] {1});
    try (ServerPort server = HttpFiles.serve(cutting, "127.0.0.1", 0, ServerSettings.defaults());
        TcpProxy proxy = new TcpProxy(server.port());
        Carrier carrier = connect(proxy.port())) {
      line[0] = proxy;
      TestBatch batch = uploads(FILES);
      carrier.transferAll(batch);
      Map<String, Object> results = batch.results();
      assertThat(results).hasSize(FILES);
      assertThat(batch.failure(path(30).value()))
          .isNotNull()
          .extracting(FerryException::kind)
          .isEqualTo(ErrorKind.ALREADY_EXISTS);
      results.remove(path(30).value());
      assertThat(results.values()).hasOnlyElementsOfType(Transfer.class);
    }
    assertThat(created).hasValue(FILES - 1);
  }

  @Test
  void uploads_thatAreRefused_leaveTheConnectionToTheOthers() throws Exception {
    for (int i = 0; i < FILES; i += 2) {
      Path there = root.resolve(path(i).value());
      Files.createDirectories(there.getParent());
      Files.write(there, content(i));
    }
    try (ServerPort server = serve(null);
        TcpProxy proxy = new TcpProxy(server.port());
        Carrier carrier = connect(proxy.port())) {
      TestBatch batch = uploads(FILES);
      carrier.transferAll(batch);
      for (int i = 0; i < FILES; i++) {
        assertThat(batch.failure(path(i).value()) != null).isEqualTo(i % 2 == 0);
      }
      assertThat(proxy.connections()).isEqualTo(1);
    }
  }

  @Test
  void batch_ofServerThatIsGone_failsEachItem() throws Exception {
    ServerPort server = serve(null);
    server.close();
    TestBatch batch = downloads(local, FILES);
    try (Carrier carrier = connect(server.port())) {
      carrier.transferAll(batch);
    }
    assertThat(batch.results()).hasSize(FILES);
    assertThat(batch.results().values()).hasOnlyElementsOfType(FerryException.class);
  }

  /** A download that finds the disk full after it was given some bytes. */
  private record OnFullDisk(Item item) implements Item {
    @Override
    public FileSink create(FileFacts facts) throws FerryException {
      return new ForwardingSink(item.create(facts)) {
        @Override
        public void write(ByteBuffer source) throws FerryException {
          source.position(source.position() + source.remaining() / 2);
          throw new FerryException(ErrorKind.OUT_OF_SPACE, path() + ": no space");
        }
      };
    }

    @Override
    public StorePath path() {
      return item.path();
    }

    @Override
    public Path file() {
      return item.file();
    }

    @Override
    public boolean isUpload() {
      return item.isUpload();
    }

    @Override
    public long size() {
      return item.size();
    }

    @Override
    public TransferOptions options() {
      return item.options();
    }

    @Override
    public void done(Transfer transfer) {
      item.done(transfer);
    }

    @Override
    public void failed(FerryException failure) {
      item.failed(failure);
    }
  }

  @Test
  void downloads_someOfWhichCannotBeWritten_leaveTheConnectionToTheOthers() throws Exception {
    try (ServerPort server = serve(null);
        TcpProxy proxy = new TcpProxy(server.port());
        Carrier direct = connect(server.port());
        Carrier carrier = connect(proxy.port())) {
      direct.transferAll(uploads(FILES));
      Path back = Files.createDirectory(local.resolve("back"));
      TestBatch batch = downloads(back, FILES);
      AtomicInteger taken = new AtomicInteger();
      carrier.transferAll(
          wait -> {
            Item item = batch.next(wait);
            return item == null || taken.getAndIncrement() % 7 != 3 ? item : new OnFullDisk(item);
          });
      for (int i = 0; i < FILES; i++) {
        FerryException failure = batch.failure(path(i).value());
        boolean full = i % 7 == 3 && content(i).length > 0;
        assertThat(failure == null ? null : failure.kind())
            .isEqualTo(full ? ErrorKind.OUT_OF_SPACE : null);
        if (!full) {
          assertThat(back.resolve("f" + i)).binaryContent().isEqualTo(content(i));
        }
      }
      assertThat(proxy.connections()).isEqualTo(1);
      assertNothingHalf(back);
    }
  }
}
