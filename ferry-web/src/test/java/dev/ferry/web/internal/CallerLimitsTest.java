package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.Background;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.RateLimit;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.Caller;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Token;
import dev.ferry.wire.internal.RawHttp2;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Transfers of callers with limits of their bytes, by every carrier. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class CallerLimitsTest {
  private static final int SIZE = 1024 * 1024;
  private static final StorePath NAME = new StorePath("f");

  @TempDir Path folder;
  private Path root;
  private Path source;

  /** The last token. */
  private String secret = "";

  @BeforeEach
  void prepare() throws IOException {
    root = Files.createDirectory(folder.resolve("root"));
    source = TestFiles.write(folder.resolve("source"), TestFiles.random(SIZE, 1));
  }

  private Token caller(String name, String... limits) throws IOException {
    List<String> rules = new ArrayList<>(List.of("all:/"));
    rules.addAll(List.of(limits));
    secret = CallersFile.addToken(folder.resolve("callers"), name, rules);
    return Token.parse(secret);
  }

  private ServerSettings settings() throws FerryException {
    return ServerSettings.defaults().withCallers(CallersFile.open(folder.resolve("callers")));
  }

  private ServerPort serve(Ways way) throws FerryException {
    return way.serve(LocalFileStore.open(root), settings());
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.web.internal.Ways#some")
  void transfers_ofACallerWithARate_shareItInBothDirections(Ways way) throws Exception {
    TestFiles.write(root.resolve("g"), TestFiles.random(SIZE, 2));
    Path target = folder.resolve("target");
    Token slow = caller("slow", "bytes:2M/s");
    try (ServerPort server = serve(way);
        Carrier up = way.connect(server.port(), slow);
        Carrier down = way.connect(server.port(), slow)) {
      long began = System.nanoTime();
      Background<Transfer> download =
          Background.start(
              () -> down.download(new StorePath("g"), target, TransferOptions.DEFAULT));
      up.upload(source, NAME, TransferOptions.DEFAULT);
      download.result();
      // 2 MiB without 50 ms and the last chunks, for which nobody waits.
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(700));
    }
    assertThat(Files.mismatch(root.resolve("f"), source)).isEqualTo(-1);
    assertThat(Files.mismatch(target, root.resolve("g"))).isEqualTo(-1);
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.web.internal.Ways#some")
  void transfers_thatAreCompressed_countTheBytesOfTheFile(Ways way) throws Exception {
    TestFiles.write(source, TestFiles.compressible(SIZE, 1));
    Token slow = caller("slow", "bytes:2M/s");
    TransferOptions gzip = TransferOptions.DEFAULT.withGzip(true);
    try (ServerPort server = serve(way);
        Carrier carrier = way.connect(server.port(), slow)) {
      long began = System.nanoTime();
      carrier.upload(source, NAME, gzip);
      carrier.download(NAME, folder.resolve("target"), gzip);
      // What was sent is less than a fifth of 2 MiB.
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(440));
    }
    assertThat(Files.mismatch(folder.resolve("target"), source)).isEqualTo(-1);
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.web.internal.Ways#some")
  void download_thatIsCutWhileItWaits_closesItsFile(Ways way) throws Exception {
    TestFiles.write(root.resolve("g"), TestFiles.random(SIZE, 2));
    Token slow = caller("slow", "bytes:512K/s");
    CallersFile callers = CallersFile.open(folder.resolve("callers"));
    CountDownLatch opened = new CountDownLatch(1);
    ServerSettings settings = ServerSettings.defaults().withCallers(callers);
    try (ServerPort server = way.serve(store(opened), settings);
        Carrier lost = way.connect(server.port(), slow)) {
      Caller caller = Objects.requireNonNull(callers.find(secret));
      RateLimit limit = Objects.requireNonNull(callers.admit(caller).rateLimit());
      // What ten minutes permit.
      assertThat(limit.take(600 * limit.bytesPerSecond())).isPositive();
      Background<Transfer> download =
          Background.start(
              () ->
                  lost.download(
                      new StorePath("g"), folder.resolve("target"), TransferOptions.DEFAULT));
      opened.await();
      // The file is open, and nothing of it may be sent.
      assertThat(lost.list(StorePath.ROOT)).hasSize(1);
      download.interrupt();
      lost.close();
      TestFiles.awaitNothingOpen(root);
    }
  }

  /** Returns a store that tells when a file was opened. */
  private FileStore store(CountDownLatch opened) throws FerryException {
    return new ForwardingStore(LocalFileStore.open(root)) {
      @Override
      public FileSource open(StorePath path) throws FerryException {
        FileSource source = super.open(path);
        opened.countDown();
        return source;
      }
    };
  }

  /** No client of the product speaks plain HTTP over HTTP/2. */
  @Test
  void download_overHttp2_waitsForItsRateAloneAndCanBeCut() throws Exception {
    TestFiles.write(root.resolve("g"), TestFiles.random(SIZE, 2));
    Token unused = caller("slow", "bytes:512K/s");
    String[] token = {"authorization", "Bearer " + secret};
    CallersFile callers = CallersFile.open(folder.resolve("callers"));
    CountDownLatch opened = new CountDownLatch(1);
    ServerSettings settings = ServerSettings.defaults().withCallers(callers);
    try (ServerPort server = Ways.HTTP.serve(store(opened), settings);
        RawHttp2 raw = RawHttp2.open(server.port())) {
      Caller caller = Objects.requireNonNull(callers.find(secret));
      RateLimit limit = Objects.requireNonNull(callers.admit(caller).rateLimit());
      // What ten minutes permit.
      assertThat(limit.take(600 * limit.bytesPerSecond())).isPositive();
      raw.request(1, true, "GET", "/files/g", token);
      opened.await();
      raw.request(3, true, "HEAD", "/files/g", token);
      RawHttp2.Frame frame = raw.next();
      while (frame.stream() != 3 || !frame.endsStream()) {
        assertThat(frame.type()).isNotEqualTo(RawHttp2.DATA);
        frame = raw.next();
      }
      raw.resetStream(1);
      TestFiles.awaitNothingOpen(root);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.web.internal.Ways#some")
  void transfers_thatWaitForLongerThanAStall_areServed(Ways way) throws Exception {
    TestFiles.write(root.resolve("g"), TestFiles.random(SIZE, 2));
    Token slow = caller("slow", "bytes:2M/s");
    CallersFile callers = CallersFile.open(folder.resolve("callers"));
    ServerSettings settings =
        ServerSettings.defaults().withCallers(callers).withStallTimeout(Duration.ofSeconds(5));
    try (ServerPort server = way.serve(LocalFileStore.open(root), settings);
        Carrier up = way.connect(server.port(), slow);
        Carrier down = way.connect(server.port(), slow)) {
      Caller caller = Objects.requireNonNull(callers.find(secret));
      RateLimit limit = Objects.requireNonNull(callers.admit(caller).rateLimit());
      // What six seconds permit.
      assertThat(limit.take(6 * limit.bytesPerSecond())).isPositive();
      Background<Transfer> download =
          Background.start(
              () ->
                  down.download(
                      new StorePath("g"), folder.resolve("target"), TransferOptions.DEFAULT));
      up.upload(source, NAME, TransferOptions.DEFAULT);
      download.result();
      assertThat(Files.mismatch(root.resolve("f"), source)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.web.internal.Ways#some")
  void call_thatIsCut_countsUntilItsWorkHasEnded(Ways way) throws Exception {
    CountDownLatch working = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    FileStore files = LocalFileStore.open(root);
    FileStore slow =
        (FileStore)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {FileStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("heldBy")) {
                    return proxy;
                  }
                  if (method.getName().equals("makeDirectory")) {
                    working.countDown();
                    done.await();
                  }
                  return method.invoke(files, arguments);
                });
    CountDownLatch cut = new CountDownLatch(1);
    Token single = caller("single", "calls:1");
    try (ServerPort server = way.serve(slow, settings().withListener(listener(cut)));
        Carrier lost = way.connect(server.port(), single);
        Carrier carrier = way.connect(server.port(), single)) {
      try {
        Background<Void> call =
            Background.start(
                () -> {
                  lost.change(
                      new Change.MakeDirectory(new StorePath("d"), false), CallLimits.DEFAULT);
                  return null;
                });
        working.await();
        call.interrupt();
        lost.close();
        cut.await();
        FerryException refusal =
            catchThrowableOfType(FerryException.class, () -> carrier.list(StorePath.ROOT));
        assertThat(refusal.kind()).isEqualTo(ErrorKind.OVERLOADED);
      } finally {
        done.countDown();
      }
      while (catchThrowable(() -> carrier.list(StorePath.ROOT)) != null) {
        Thread.sleep(10);
      }
    }
  }

  /** Returns a listener that tells when a call has been cut. */
  private static RequestListener listener(CountDownLatch cut) {
    return new RequestListener() {
      @Override
      public void began(ServedRequest request) {}

      @Override
      public void ended(EndedRequest request) {
        if (request.error() == ErrorKind.CANCELLED) {
          cut.countDown();
        }
      }
    };
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.web.internal.Ways#some")
  void transfers_ofOthers_passThoseThatArePaced(Ways way) throws Exception {
    TestFiles.sparse(root.resolve("large"), 64L << 20);
    Token slow = caller("slow", "bytes:512K/s");
    Token fast = caller("fast");
    AtomicLong received = new AtomicLong();
    TransferOptions counted =
        TransferOptions.DEFAULT
            .withDigest(null)
            .withProgress((bytes, total) -> received.accumulateAndGet(bytes, Math::max));
    List<Carrier> carriers = new ArrayList<>();
    long began = System.nanoTime();
    try (ServerPort server = serve(way);
        Carrier other = way.connect(server.port(), fast)) {
      // As many as there are event loops on a machine of two cores.
      for (int i = 0; i < 4; i++) {
        Carrier carrier = way.connect(server.port(), slow);
        Path target = folder.resolve("slow" + i);
        carriers.add(carrier);
        Background.start(() -> carrier.download(new StorePath("large"), target, counted));
      }
      for (int i = 0; i < 8; i++) {
        other.upload(source, NAME, TransferOptions.DEFAULT);
        other.download(NAME, folder.resolve("fast" + i), TransferOptions.DEFAULT);
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      assertThat((double) received.get()).isLessThan((seconds + 1) * 512 * 1024);
    } finally {
      carriers.forEach(Carrier::close);
    }
    TestFiles.awaitNothingOpen(root);
    TestFiles.awaitTree(root, "f", "large");
  }
}
