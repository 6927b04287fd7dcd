package dev.ferry.web.internal.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import dev.ferry.core.Node;
import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.web.internal.WebFilesServer;
import dev.ferry.wire.CrossOrigin;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.v1.FilesProto;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Connect's clients by their defaults: in Node, and on a page in headless Chromium. */
@Timeout(400)
class ConnectTest {
  private static final String PAGE_HOST = "127.0.0.9";
  private static final int SIZE = 3_000_000;

  @TempDir Path root;
  @TempDir Path other;

  @BeforeAll
  static void install() throws Exception {
    assumeTrue(Node.isReady(), Node.SKIPPED);
  }

  @BeforeEach
  void makeFiles() throws IOException {
    for (Path folder : List.of(root, other)) {
      Files.write(folder.resolve("f"), TestFiles.random(SIZE, 1));
    }
  }

  private static WebFilesServer serve(Path folder, CrossOrigin allowed) throws IOException {
    return WebFilesServer.start(
        LocalFileStore.open(folder),
        "127.0.0.1",
        0,
        ServerSettings.defaults().withAllowedOrigins(allowed));
  }

  /** Runs a script with the descriptors of the service as its last argument. */
  private static List<String> run(String script, String... arguments) throws Exception {
    FileDescriptorSet set =
        FileDescriptorSet.newBuilder().addFile(FilesProto.getDescriptor().toProto()).build();
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add(Base64.getEncoder().encodeToString(set.toByteArray()));
    return Node.run(script, all.toArray(String[]::new));
  }

  /** Returns a port of an address that no server of a test has. */
  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(PAGE_HOST))) {
      return socket.getLocalPort();
    }
  }

  @Test
  @EnabledIfSystemProperty(
      named = "ferry.thorough",
      matches = "true",
      disabledReason = "-Pthorough")
  void connectNode_overBothProtocols_calls() throws Exception {
    try (WebFilesServer server = serve(root, CrossOrigin.NONE)) {
      assertThat(run("connect-node.mjs", "http://127.0.0.1:" + server.port()))
          .containsExactly(
              "1.1 stat " + SIZE,
              "1.1 list f",
              "1.1 download " + SIZE,
              "1.1 missing failed: [not_found] missing: no such file",
              "1.1 upload 5",
              "2 stat " + SIZE,
              "2 list f new",
              "2 download " + SIZE,
              "2 missing failed: [not_found] missing: no such file",
              "2 upload 5");
    }
    assertThat(root.resolve("new")).hasContent("hello");
  }

  @Test
  void connectWeb_onAPage_callsTheServerThatAllowsItAlone() throws Exception {
    int page = freePort();
    try (WebFilesServer allowing =
            serve(root, new CrossOrigin(List.of("http://" + PAGE_HOST + ":" + page)));
        WebFilesServer foreign = serve(other, CrossOrigin.NONE)) {
      List<String> lines =
          run(
              "connect-web.mjs",
              PAGE_HOST,
              "" + page,
              "http://127.0.0.1:" + allowing.port(),
              "http://127.0.0.1:" + foreign.port());
      assertThat(lines)
          .hasSize(10)
          .startsWith(
              "stat " + SIZE,
              "list f",
              "download " + SIZE,
              "missing failed: [not_found] missing: no such file",
              "fetch true " + SIZE + " 201");
      assertThat(lines.subList(5, 10)).allMatch(line -> line.contains(" failed: "));
    }
    assertThat(root.resolve("put")).hasContent("hello");
    assertThat(TestFiles.tree(other)).containsExactly("f");
  }
}
