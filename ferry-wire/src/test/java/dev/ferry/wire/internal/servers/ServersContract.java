package dev.ferry.wire.internal.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.Background;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.Change;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.Outage;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.RepeatedCall;
import dev.ferry.core.local.Download;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.core.local.Upload;
import dev.ferry.core.upload.UploadIds;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.NamedServers;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Servers;
import dev.ferry.wire.internal.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three servers of one folder, each behind a proxy that can be killed, and a client of all. */
@Timeout(300)
public abstract class ServersContract {
  private static final int SIZE = 24_000_000;

  /** Bytes after which a transfer stands still until its server is gone. */
  private static final int HALF = 12_000_000;

  /** What may have been on its way, so that it is transferred twice; less than a half. */
  private static final int UNDERWAY = 11_500_000;

  private static final StorePath FILE = file("file");

  @TempDir Path temporary;
  private final List<Node> nodes = new ArrayList<>();
  private final List<FerryException> heard = new CopyOnWriteArrayList<>();
  private final Retries retries =
      Retries.of(5, Duration.ZERO).withListener((failure, delay) -> heard.add(failure));

  /** A server, and the proxy that clients reach it through. */
  private static final class Node implements RequestListener {
    final AtomicInteger requests = new AtomicInteger();
    final ServerPort server;
    final TcpProxy proxy;

    Node(ServersContract contract, FileStore store) throws Exception {
      server = contract.serve(store, "127.0.0.1", 0, ServerSettings.defaults().withListener(this));
      proxy = new TcpProxy(server.port());
    }

    @Override
    public void began(ServedRequest request) {
      requests.incrementAndGet();
    }

    @Override
    public void ended(EndedRequest request) {}

    long bytes() {
      return proxy.respondedBytes() + proxy.requestedBytes();
    }

    void close() throws IOException {
      proxy.close();
      server.close();
    }
  }

  /** Starts a server on this machine. */
  protected abstract ServerPort serve(
      FileStore store, String host, int port, ServerSettings settings) throws Exception;

  /** A client of several servers. */
  protected abstract Carrier connect(Servers servers, @Nullable ClientTls tls) throws Exception;

  private Carrier connect(Servers servers) throws Exception {
    return connect(servers, null);
  }

  private static StorePath file(String name) {
    try {
      return StorePath.parse(name);
    } catch (FerryException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void start() throws Exception {
    Path root = Files.createDirectory(temporary.resolve("store"));
    for (int i = 0; i < 3; i++) {
      nodes.add(new Node(this, LocalFileStore.open(root)));
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (Node node : nodes) {
      node.close();
    }
  }

  private Servers servers() {
    return Servers.of(
        nodes.stream().map(n -> new Servers.Address("127.0.0.1", n.proxy.port())).toList());
  }

  private Carrier another(Servers servers) {
    try {
      return connect(servers);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private byte[] stored() throws IOException {
    byte[] bytes = TestFiles.incompressible(SIZE, 1);
    TestFiles.write(temporary.resolve("store/file"), bytes);
    return bytes;
  }

  /** Calls until a condition holds. */
  private void statUntil(Carrier carrier, Predicate<Node> condition) throws Exception {
    while (!nodes.stream().allMatch(condition)) {
      assertThat(carrier.stat(StorePath.ROOT, null, CallLimits.DEFAULT).directory()).isTrue();
    }
  }

  @Test
  void calls_goToAllServersInTurn() throws Exception {
    try (Carrier carrier = connect(servers())) {
      // Connections may come one after another.
      statUntil(carrier, node -> node.requests.get() > 0);
      nodes.forEach(node -> node.requests.set(0));
      for (int i = 0; i < 30; i++) {
        assertThat(carrier.stat(StorePath.ROOT, null, CallLimits.DEFAULT).directory()).isTrue();
      }
      assertThat(nodes).allMatch(node -> node.requests.get() >= 10);
    }
  }

  @Test
  void calls_oneServerIsDown_goToTheOthers() throws Exception {
    nodes.get(1).close();
    try (Carrier carrier = connect(servers())) {
      statUntil(carrier, node -> node == nodes.get(1) || node.requests.get() > 2);
    }
  }

  @Test
  void calls_oneServerDrains_leaveItWithoutFailure() throws Exception {
    try (Carrier carrier = connect(servers())) {
      statUntil(carrier, node -> node.requests.get() > 0);
      nodes.get(2).server.drain();
      nodes.forEach(node -> node.requests.set(0));
      statUntil(carrier, node -> node == nodes.get(2) || node.requests.get() > 20);
    }
  }

  @Test
  void changes_oneServerDrains_areMadeByRetriesWithoutAWait() throws Exception {
    List<Duration> waits = new CopyOnWriteArrayList<>();
    try (Carrier carrier = connect(servers())) {
      statUntil(carrier, node -> node.requests.get() > 0);
      nodes.get(2).server.drain();
      for (int i = 0; i < 9; i++) {
        StorePath folder = file("folder" + i);
        RepeatedCall call =
            RepeatedCall.begin(
                Carriers.of(carrier, () -> carrier),
                retries.withListener((failure, delay) -> waits.add(delay)),
                null);
        boolean unused =
            call.run(
                (used, left) -> {
                  used.change(new Change.MakeDirectory(folder, false), CallLimits.DEFAULT);
                  return true;
                },
                () -> 0);
        assertThat(temporary.resolve("store/folder" + i)).isDirectory();
      }
    }
    assertThat(waits).hasSizeLessThan(2).allMatch(Duration::isZero);
  }

  @Test
  void calls_allServersAreDown_failAndNameThem() throws Exception {
    Servers servers = servers();
    for (Node node : nodes) {
      node.close();
    }
    try (Carrier carrier = connect(servers)) {
      FerryException failure =
          catchThrowableOfType(
              FerryException.class, () -> carrier.stat(StorePath.ROOT, null, CallLimits.DEFAULT));
      assertThat(failure.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
      assertThat(failure.outage()).isEqualTo(Outage.REFUSED);
      assertThat(failure).hasMessageContaining("none of " + servers + " can be used: connection");
    }
  }

  @Test
  void calls_oneNameWithSeveralAddresses_goToAllAndCheckTheName() throws Exception {
    FileStore store = LocalFileStore.open(temporary.resolve("store"));
    Node[] served = {nodes.get(0), nodes.get(1)};
    ServerSettings settings =
        ServerSettings.defaults()
            .withHostNames(List.of("other.example", "third.example"))
            .withTls(TestCertificates.server(TestCertificates.otherHost()));
    InetAddress first = InetAddress.getByName("127.0.0.1");
    InetAddress second = InetAddress.getByName("127.0.0.2");
    try (ServerPort one =
            serve(store, first.getHostAddress(), 0, settings.withListener(served[0]));
        ServerPort two =
            serve(store, second.getHostAddress(), one.port(), settings.withListener(served[1]))) {
      Servers right = NamedServers.of("other.example", two.port(), first, second);
      try (Carrier carrier = connect(right, TestCertificates.client())) {
        statUntil(carrier, node -> node == nodes.get(2) || node.requests.get() > 1);
      }
      Servers wrong = NamedServers.of("third.example", two.port(), first, second);
      try (Carrier carrier = connect(wrong, TestCertificates.client())) {
        FerryException failure =
            catchThrowableOfType(
                FerryException.class, () -> carrier.stat(StorePath.ROOT, null, CallLimits.DEFAULT));
        assertThat(failure.outage()).isEqualTo(Outage.UNTRUSTED);
      }
    }
  }

  @Test
  void calls_allAddressesOfOneFamilyRefuse_goToTheOther() throws Exception {
    InetAddress six = InetAddress.getByName("::1");
    Assumptions.assumeTrue(NetworkInterface.getByInetAddress(six) != null, "no IPv6");
    FileStore store = LocalFileStore.open(temporary.resolve("store"));
    ServerSettings settings = ServerSettings.defaults().withHostNames(List.of("files.example"));
    try (ServerPort server = serve(store, "::1", 0, settings);
        Carrier carrier =
            connect(
                NamedServers.of(
                    "files.example",
                    server.port(),
                    InetAddress.getByName("127.0.0.2"),
                    InetAddress.getByName("127.0.0.3"),
                    six))) {
      for (int i = 0; i < 3; i++) {
        assertThat(carrier.stat(StorePath.ROOT, null, CallLimits.DEFAULT).directory()).isTrue();
      }
    }
  }

  @Test
  void calls_nameGetsAnotherAddress_goThere() throws Exception {
    FileStore store = LocalFileStore.open(temporary.resolve("store"));
    List<InetAddress> ips = new CopyOnWriteArrayList<>();
    for (int i = 1; i <= 3; i++) {
      ips.add(InetAddress.getByName("127.0.0." + i));
    }
    List<ServerPort> served = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        int port = i == 0 ? 0 : served.get(0).port();
        ServerSettings settings =
            ServerSettings.defaults()
                .withHostNames(List.of("files.example"))
                .withListener(nodes.get(i));
        served.add(serve(store, ips.get(i).getHostAddress(), port, settings));
      }
      InetAddress added = ips.remove(2);
      Servers servers = NamedServers.changing("files.example", served.get(0).port(), () -> ips);
      try (Carrier carrier = connect(servers)) {
        statUntil(carrier, node -> node == nodes.get(2) || node.requests.get() > 0);
        assertThat(nodes.get(2).requests).hasValue(0);
        ips.set(0, added);
        served.get(0).close();
        statUntil(carrier, node -> node.requests.get() > 0);
      }
    } finally {
      for (ServerPort server : served) {
        server.close();
      }
    }
  }

  @Test
  void upload_storesAreNotShared_beginsAnewAtAnother() throws Exception {
    for (int i = 0; i < 3; i++) {
      nodes.get(i).close();
      nodes.set(
          i,
          new Node(
              this, LocalFileStore.open(Files.createDirectory(temporary.resolve("store" + i)))));
    }
    byte[] bytes = TestFiles.incompressible(SIZE, 2);
    TestFiles.write(temporary.resolve("source"), bytes);
    nodes.forEach(node -> node.proxy.holdAfter(HALF));
    Background<Transfer> upload = Background.start(this::upload);
    Node killed = active();
    killed.proxy.close();
    release();
    assertThat(upload.result().facts().size()).isEqualTo(SIZE);
    int whole = 0;
    for (int i = 0; i < 3; i++) {
      Path file = temporary.resolve("store" + i + "/file");
      if (Files.exists(file)) {
        whole++;
        assertThat(nodes.get(i)).isNotSameAs(killed);
        assertThat(file).binaryContent().isEqualTo(bytes);
      }
    }
    assertThat(whole).isEqualTo(1);
  }

  @Test
  void download_serverIsKilled_goesOnAtAnother() throws Exception {
    byte[] bytes = stored();
    nodes.forEach(node -> node.proxy.holdAfter(HALF));
    Background<Transfer> download = Background.start(this::download);
    active().proxy.close();
    release();
    assertThat(download.result().facts().size()).isEqualTo(SIZE);
    assertThat(temporary.resolve("back")).binaryContent().isEqualTo(bytes);
    wasContinued();
  }

  @Test
  void download_machineOfServerVanishes_goesOnAtAnother() throws Exception {
    byte[] bytes = stored();
    nodes.forEach(node -> node.proxy.holdAfter(HALF));
    Background<Transfer> download = Background.start(this::download);
    active().proxy.vanish();
    release();
    assertThat(download.result().facts().size()).isEqualTo(SIZE);
    assertThat(temporary.resolve("back")).binaryContent().isEqualTo(bytes);
    wasContinued();
  }

  @Test
  void upload_serverIsKilled_goesOnAtAnother() throws Exception {
    byte[] bytes = TestFiles.incompressible(SIZE, 2);
    TestFiles.write(temporary.resolve("source"), bytes);
    nodes.forEach(node -> node.proxy.holdAfter(HALF));
    Background<Transfer> upload = Background.start(this::upload);
    active().proxy.close();
    release();
    assertThat(upload.result().facts().size()).isEqualTo(SIZE);
    assertThat(temporary.resolve("store/file")).binaryContent().isEqualTo(bytes);
    wasContinued();
  }

  private Transfer download() throws Exception {
    Servers servers = servers();
    try (Carrier first = connect(servers)) {
      return Download.run(
          Carriers.of(first, () -> another(servers)),
          1,
          FILE,
          temporary.resolve("back"),
          TransferOptions.DEFAULT,
          retries);
    }
  }

  private Transfer upload() throws Exception {
    Servers servers = servers();
    try (Carrier first = connect(servers)) {
      return Objects.requireNonNull(
          Upload.run(
              Carriers.of(first, () -> another(servers)),
              temporary.resolve("source"),
              FILE,
              TransferOptions.DEFAULT,
              retries,
              carrier -> TransferOptions.DEFAULT.create(),
              UploadIds.RANDOM));
    }
  }

  /** Waits for the server that a transfer stands still at. */
  private Node active() throws InterruptedException {
    while (true) {
      for (Node node : nodes) {
        if (node.bytes() >= HALF) {
          return node;
        }
      }
      Thread.sleep(5);
    }
  }

  private void release() {
    nodes.stream().filter(node -> node.bytes() < HALF).forEach(node -> node.proxy.release());
  }

  /** A failure was heard of, after which other servers had the rest alone. */
  private void wasContinued() {
    // The first server may still write what it had received when the second one says how far the
    // upload is. The rest is sent again then.
    List<FerryException> mismatches =
        heard.stream().filter(failure -> failure.kind() == ErrorKind.OFFSET_MISMATCH).toList();
    assertThat(heard)
        .filteredOn(failure -> failure.kind() != ErrorKind.OFFSET_MISMATCH)
        .hasSizeBetween(1, 3)
        .allMatch(e -> e.outage() == Outage.LOST || e.retryAfter() != null);
    assertThat(heard.get(0).outage()).isEqualTo(Outage.LOST);
    long again = mismatches.size();
    assertThat(nodes.stream().mapToLong(Node::bytes).sum())
        .isLessThan(SIZE * (1 + again) + UNDERWAY);
  }
}
