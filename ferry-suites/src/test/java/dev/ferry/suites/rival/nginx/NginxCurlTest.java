package dev.ferry.suites.rival.nginx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.suites.rival.ForeignServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NginxCurlTest {
  private static final TransferOptions OPTIONS = TransferOptions.DEFAULT.withVerify(false);

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path root;

  @BeforeEach
  void requireBoth() throws IOException {
    assumeTrue(NginxServer.isInstalled(), NginxServer.HOW_TO_INSTALL);
    root = Files.createDirectory(folder.resolve("a root"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void transfer_textFile_arrivesWholeAsPromised(boolean gzip) throws Exception {
    byte[] bytes = "a line of text\n".repeat(200_000).getBytes();
    Path source = Files.write(folder.resolve("source"), bytes);
    Path target = folder.resolve("target");
    try (ForeignServer server = NginxServer.start(root, gzip);
        CurlClient client = CurlClient.connect("127.0.0.1", server.port())) {
      Transfer up = client.upload(source, StorePath.parse("dir/file"), OPTIONS);
      Transfer down = client.download(StorePath.parse("dir/file"), target, OPTIONS.withGzip(gzip));

      assertThat(root.resolve("dir/file")).binaryContent().isEqualTo(bytes);
      assertThat(target).binaryContent().isEqualTo(bytes);
      assertThat(up.protocol()).isEqualTo("http/1.1");
      assertThat(up.encoding()).isEqualTo("identity");
      assertThat(up.wireBytes()).isEqualTo(bytes.length);
      assertThat(down.protocol()).isEqualTo("http/1.1");
      assertThat(down.encoding()).isEqualTo(gzip ? "gzip" : "identity");
      assertThat(down.wireBytes() < bytes.length).isEqualTo(gzip);
    }
  }

  @Test
  void download_missingFile_notFoundAndNothingLeft() throws Exception {
    try (ForeignServer server = NginxServer.start(root, false);
        CurlClient client = CurlClient.connect("127.0.0.1", server.port())) {
      FerryException e =
          catchThrowableOfType(
              FerryException.class,
              () -> client.download(StorePath.parse("no"), folder.resolve("target"), OPTIONS));
      assertThat(e.kind()).isEqualTo(ErrorKind.NOT_FOUND);
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(root);
    }
  }

  @Test
  void close_server_endsItsProcessesAndTheClientSaysSo() throws Exception {
    List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
    ForeignServer server = NginxServer.start(root, false);
    assertThat(ProcessHandle.current().descendants().toList().size())
        .isGreaterThan(before.size() + 1);

    server.close();
    server.close();

    assertThat(ProcessHandle.current().descendants().toList()).hasSameSizeAs(before);
    try (CurlClient client = CurlClient.connect("127.0.0.1", server.port())) {
      FerryException e =
          catchThrowableOfType(
              FerryException.class,
              () -> client.download(StorePath.parse("f"), folder.resolve("t"), OPTIONS));
      assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
      assertThat(e).hasMessageContaining("curl: (7)");
    }
  }

  @Test
  void start_rootThatNginxCannotName_saysWhat() {
    IOException e =
        catchThrowableOfType(
            IOException.class, () -> NginxServer.start(folder.resolve("a\"b"), false));
    assertThat(e).hasMessageContaining("nginx does not start").hasMessageContaining("emerg");
  }
}
