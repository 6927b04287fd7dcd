package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.QuietGrpc;
import dev.ferry.core.StorePath;
import dev.ferry.core.StoreRule;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.grpc.internal.GrpcFilesServer;
import dev.ferry.http.HttpFiles;
import dev.ferry.http.HttpProtocol;
import dev.ferry.wire.Caller;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Token;
import dev.ferry.wire.internal.TestCertificates;
import dev.ferry.wire.internal.Warnings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients may send that are broken or hostile. */
@ExtendWith(QuietGrpc.class)
@Timeout(300)
class HostileInputTest {
  private static final String HOST = "127.0.0.1";
  private static final StorePath FILE = new StorePath("f");

  /** Inputs for each port. Over TLS they reach no more than the handshake, so fewer do. */
  private static final int INPUTS = Boolean.getBoolean("ferry.thorough") ? 10_000 : 100;

  private static final int INPUTS_OVER_TLS = INPUTS / 10;

  private static final int CLIENTS = 8;
  private static final int MOST_BYTES = 4096;
  private static final int PATIENCE_MILLIS = 20_000;

  @TempDir Path root;
  @TempDir Path local;

  /** A client of a port. */
  private interface Connector {
    Carrier connect(int port) throws Exception;
  }

  private static List<Connector> grpc(@Nullable ClientTls tls, Token token) {
    return List.of(port -> GrpcFiles.connect(HOST, port, tls, token));
  }

  private static List<Connector> http(@Nullable ClientTls tls, Token token) {
    List<Connector> connectors = new ArrayList<>();
    connectors.add(port -> HttpFiles.connect(HOST, port, tls, token));
    for (HttpProtocol protocol : HttpProtocol.values()) {
      for (boolean text : new boolean[] {false, true}) {
        connectors.add(port -> ArmeriaCarrier.connect(HOST, port, "", text, protocol, tls, token));
      }
    }
    return connectors;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ports_afterHostileInputs_serveAndLeakNothing(boolean secure) throws Exception {
    int inputs = secure ? INPUTS_OVER_TLS : INPUTS;
    Caller owner = new Caller("owner", List.of(StoreRule.parse("all:/")));
    ServerSettings settings =
        ServerSettings.defaults()
            .withTls(secure ? TestCertificates.server(TestCertificates.loopback()) : null)
            .withCallers(token -> token.equals("ferry_owner") ? owner : null);
    ClientTls tls = secure ? TestCertificates.client() : null;
    Token token = Token.parse("ferry_owner");
    LocalFileStore store = LocalFileStore.open(root);
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    Set<Thread> ofServers = new HashSet<>();
    try (Warnings warnings = new Warnings()) {
      try (GrpcFilesServer grpc = GrpcFilesServer.start(store, HOST, 0, settings);
          WebFilesServer http = WebFilesServer.start(store, HOST, 0, settings)) {
        attack(grpc.port(), inputs, grpc(tls, token));
        attack(http.port(), inputs, http(tls, token));
        ofServers.addAll(Thread.getAllStackTraces().keySet());
        ofServers.removeIf(thread -> !isOfServer(thread));
        assertThat(ofServers).isNotEmpty();
      }
      ofServers.removeAll(before);
      await("threads of servers", () -> ofServers.stream().noneMatch(Thread::isAlive));
      assertThat(warnings.heard()).isEmpty();
    }
    await("partial files", () -> files().noneMatch(file -> file.contains(".ferry-")));
    TestFiles.awaitNothingOpen(root);
  }

  private static boolean isOfServer(Thread thread) {
    return thread.getName().startsWith("ferry-grpc-server")
        || thread.getName().startsWith("ferry-grpc-boss")
        || thread.getName().startsWith("ferry-web");
  }

  private Stream<String> files() {
    try {
      return TestFiles.tree(root).stream();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sends inputs to a port, and uses it before and after. */
  private void attack(int port, int inputs, List<Connector> connectors) throws Exception {
    List<byte[]> recordings = new ArrayList<>();
    for (Connector connector : connectors) {
      try (RecordingProxy proxy = new RecordingProxy(port)) {
        use(connector, proxy.port());
        proxy.recordings().stream().filter(sent -> sent.length > 0).forEach(recordings::add);
      }
    }
    assertThat(recordings).isNotEmpty();
    long sockets = sockets();
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Callable<@Nullable Void>> tasks = new ArrayList<>();
      IntStream.range(0, inputs).forEach(seed -> tasks.add(() -> send(port, recordings, seed)));
      for (Future<@Nullable Void> sent : clients.invokeAll(tasks)) {
        sent.get();
      }
    } finally {
      clients.shutdown();
    }
    await("sockets", () -> sockets() <= sockets);
    for (Connector connector : connectors) {
      use(connector, port);
    }
  }

  private void use(Connector connector, int port) throws Exception {
    Path source = Files.write(local.resolve("source"), TestFiles.random(1000, 1));
    Path target = local.resolve("target");
    try (Carrier carrier = connector.connect(port)) {
      carrier.upload(source, FILE, TransferOptions.DEFAULT);
      carrier.download(FILE, target, TransferOptions.DEFAULT);
      carrier.download(FILE, target, TransferOptions.DEFAULT.withGzip(true));
      carrier.stat(FILE, Digest.Algorithm.SHA256, CallLimits.DEFAULT);
      carrier.list(StorePath.ROOT);
    }
    assertThat(Files.mismatch(target, source)).isEqualTo(-1);
  }

  private static @Nullable Void send(int port, List<byte[]> recordings, int seed)
      throws IOException {
    Random random = new Random(seed);
    byte[] input = input(random, recordings);
    boolean reads = random.nextInt(4) > 0;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(input);
      if (reads) {
        socket.shutdownOutput();
        try (InputStream in = socket.getInputStream()) {
          in.transferTo(OutputStream.nullOutputStream());
        }
      }
    } catch (SocketTimeoutException e) {
      throw new AssertionError("input " + seed + " keeps a connection", e);
    } catch (IOException e) {
      // The server has closed the connection.
    }
    return null;
  }

  private static byte[] input(Random random, List<byte[]> recordings) {
    byte[] recorded = recordings.get(random.nextInt(recordings.size()));
    int from = random.nextInt(recorded.length);
    int to = from + random.nextInt(Math.min(recorded.length - from, 64) + 1);
    return switch (random.nextInt(8)) {
      case 0 -> noise(random, random.nextInt(MOST_BYTES));
      case 1 -> joined(Arrays.copyOf(recorded, from), noise(random, random.nextInt(64)));
      case 2 -> Arrays.copyOf(recorded, from);
      case 3 -> changed(recorded, random, 256);
      case 4 -> changed(recorded, random, 2);
      case 5 -> joined(Arrays.copyOf(recorded, from), rest(recorded, to));
      case 6 -> joined(Arrays.copyOf(recorded, to), rest(recorded, from));
      default -> {
        byte[] other = recordings.get(random.nextInt(recordings.size()));
        yield joined(Arrays.copyOf(recorded, from), rest(other, random.nextInt(other.length)));
      }
    };
  }

  private static byte[] noise(Random random, int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Changes some bytes, to 0 or -1 if there are two values. */
  private static byte[] changed(byte[] bytes, Random random, int values) {
    byte[] changed = bytes.clone();
    for (int i = random.nextInt(8); i >= 0; i--) {
      changed[random.nextInt(changed.length)] = (byte) -random.nextInt(values);
    }
    return changed;
  }

  private static byte[] rest(byte[] bytes, int from) {
    return Arrays.copyOfRange(bytes, from, bytes.length);
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    assertThat(condition.getAsBoolean()).as(what + " are left").isTrue();
  }

  /** Returns the open sockets of this process; 0 if the system does not say. */
  private static long sockets() {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.filter(HostileInputTest::isSocket).count();
    } catch (IOException e) {
      return 0;
    }
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
