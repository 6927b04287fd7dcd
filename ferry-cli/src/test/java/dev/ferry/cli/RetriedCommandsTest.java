package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.ForwardingSink;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands that try again after a failure that is soon over. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class RetriedCommandsTest {
  private static final int BYTES = 3_000_001;

  @TempDir Path root;
  @TempDir Path local;
  private FaultyStore store;

  /** A store that fails at first. */
  private static final class FaultyStore extends ForwardingStore {
    final AtomicInteger uploads = new AtomicInteger();
    private final AtomicInteger lists = new AtomicInteger();
    private volatile Runnable afterCommit = () -> {};
    private volatile boolean writeOnly;

    FaultyStore(FileStore store) {
      super(store);
    }

    @Override
    public Listing list(StorePath directory) throws FerryException {
      if (lists.getAndIncrement() == 0) {
        throw new FerryException(ErrorKind.OVERLOADED, "too many lists");
      }
      return super.list(directory);
    }

    @Override
    public FileFacts stat(StorePath path, boolean digest) throws FerryException {
      if (writeOnly) {
        throw new FerryException(ErrorKind.PERMISSION_DENIED, path + ": may not be read");
      }
      return super.stat(path, digest);
    }

    @Override
    public FileSink create(StorePath path, CreateOptions options) throws FerryException {
      uploads.incrementAndGet();
      return new ForwardingSink(super.create(path, options)) {
        @Override
        public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest)
            throws FerryException {
          FileFacts facts = super.commit(expectedSize, expectedDigest);
          afterCommit.run();
          return facts;
        }
      };
    }
  }

  @BeforeEach
  void open() throws Exception {
    store = new FaultyStore(LocalFileStore.open(root));
  }

  private static Outcome run(int port, CarrierChoice carrier, String... command) {
    String[] args = new String[command.length + 2];
    System.arraycopy(command, 0, args, 0, command.length);
    args[command.length] = "--server=" + Servers.HOST + ":" + port;
    args[command.length + 1] = "--carrier=" + carrier;
    return Outcome.of(args);
  }

  @ParameterizedTest
  @EnumSource
  void get_connectionLost_goesOnAndSaysSo(CarrierChoice carrier) throws Exception {
    Path file = TestFiles.write(root.resolve("file"), TestFiles.incompressible(BYTES, 1));
    Path back = local.resolve("back");
    try (Servers servers = Servers.start(store);
        TcpProxy proxy = new TcpProxy(servers.port(carrier))) {
      proxy.cutEach(2_000_000);
      Outcome get = run(proxy.port(), carrier, "get", "file", back.toString());
      assertThat(get.complaints().strip())
          .matches(
              "ferry get: file: connection lost after [12]\\.\\d MB of 3\\.0 MB; retrying in [^,]+,"
                  + " \\d+ % received(?s:.*)");
      assertThat(get.exitCode()).isZero();
      assertThat(get.out()).contains("crc32c " + Digest.Algorithm.CRC32C.ofFile(file));
    }
    assertThat(Files.mismatch(back, file)).isEqualTo(-1);
    assertThat(TestFiles.tree(local)).containsExactly("back");
  }

  @ParameterizedTest
  @EnumSource
  void put_responseLost_findsThatTheFileHasArrived(CarrierChoice carrier) throws Exception {
    Path file = TestFiles.write(local.resolve("file"), TestFiles.incompressible(BYTES, 1));
    try (Servers servers = Servers.start(store);
        TcpProxy proxy = new TcpProxy(servers.port(carrier))) {
      store.afterCommit = proxy::cut;
      Outcome put = run(proxy.port(), carrier, "put", "--create-only", file.toString());
      assertThat(put.complaints()).contains("ferry put: file: ", "; retrying in ");
      assertThat(put.exitCode()).as(put.err()).isZero();
      assertThat(put.out())
          .contains("crc32c " + Digest.Algorithm.CRC32C.ofFile(file) + " verified");
    }
    assertThat(store.uploads).hasValue(1);
    assertThat(Files.mismatch(root.resolve("file"), file)).isEqualTo(-1);
  }

  @Test
  void put_responseLostToACallerWhoMayNotRead_findsThatTheFileHasArrived() throws Exception {
    Path file = TestFiles.write(local.resolve("file"), TestFiles.incompressible(BYTES, 1));
    store.writeOnly = true;
    CarrierChoice carrier = CarrierChoice.GRPC;
    try (Servers servers = Servers.start(store);
        TcpProxy proxy = new TcpProxy(servers.port(carrier))) {
      store.afterCommit =
          () -> {
            store.afterCommit = () -> {};
            proxy.cut();
          };
      Outcome put = run(proxy.port(), carrier, "put", "--force", file.toString());
      assertThat(put.exitCode()).as(put.err()).isZero();
    }
    assertThat(store.uploads).hasValue(1);
    assertThat(Files.mismatch(root.resolve("file"), file)).isEqualTo(-1);
  }

  @ParameterizedTest
  @EnumSource
  void ls_serverOverloaded_triesAgain(CarrierChoice carrier) throws Exception {
    Files.writeString(root.resolve("file"), "hello");
    try (Servers servers = Servers.start(store)) {
      Outcome once = run(servers.port(carrier), carrier, "ls", "--retries=0");
      assertThat(once.err().strip()).isEqualTo("ferry ls: too many lists; try again in a moment");
      assertThat(once.exitCode()).isEqualTo(6);
      store.lists.set(0);
      Outcome ls = run(servers.port(carrier), carrier, "ls", "--retry-for=1m");
      assertThat(ls.err().strip()).matches("ferry ls: too many lists; retrying in [\\d.]+ m?s");
      assertThat(ls.out()).endsWith("  file" + System.lineSeparator());
      assertThat(ls.exitCode()).isZero();
    }
  }

  @Test
  void ls_nobodyListens_saysHowOftenItTried() throws Exception {
    int port = Peers.nobody();
    Outcome ls = run(port, CarrierChoice.GRPC, "ls", "--retries=1");
    assertThat(ls.err().lines()).hasSize(2);
    assertThat(ls.err().lines().skip(1))
        .singleElement()
        .isEqualTo(
            "ferry ls: connection refused at %s:%d; gave up after 2 attempts; is 'ferry serve'"
                    .formatted(Servers.HOST, port)
                + " running there?");
  }
}
