package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileServer;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.http.HttpFiles;
import dev.ferry.http.HttpProtocol;
import dev.ferry.net.ServerSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExamplesTest {
  private static final String HOST = "127.0.0.1";

  @TempDir Path root;
  @TempDir Path local;

  private Path letter;
  private Path copy;

  @BeforeEach
  void writeLetter() throws Exception {
    letter = Files.writeString(local.resolve("letter.txt"), "hello");
    copy = local.resolve("copy.txt");
  }

  private static FileServer serve(FileStore store) throws FerryException {
    return GrpcFiles.serve(store, HOST, 0, ServerSettings.defaults());
  }

  @Test
  void fetchFile_fromServeFolder_getsTheFile() throws Exception {
    Files.copy(letter, root.resolve("letter.txt"));
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ServeFolder.class.getName(),
                root.toString(),
                "0")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      String line = server.inputReader(StandardCharsets.UTF_8).readLine();
      assertThat(line).startsWith("serving on port ");
      String port = line.substring(line.lastIndexOf(' ') + 1);

      FetchFile.main(new String[] {port, "letter.txt", copy.toString()});

      assertThat(copy).hasContent("hello");
    } finally {
      server.destroy();
      server.waitFor();
    }
  }

  @Test
  void moveOneFile_twice_movesItAndThenSaysThatTheNameIsTaken() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    MoveOneFile example = new MoveOneFile(new PrintStream(bytes, true, StandardCharsets.UTF_8));

    try (FileServer server = serve(LocalFileStore.open(root))) {
      assertThat(example.run(HOST, server.port(), letter, copy)).isTrue();
      assertThat(copy).hasContent("hello");

      assertThat(example.run(HOST, server.port(), letter, copy)).isFalse();
    }

    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("5 of 5", "sent 5 bytes over h2", "fetched it, crc32c 9a71bb4c")
        .contains("choose another name: inbox/letter.txt: already exists");
  }

  @Test
  void inboxStore_overHttp_takesAFileAndHidesIt() throws Exception {
    StorePath path = StorePath.parse("letter.txt");
    FileStore store = new InboxStore(LocalFileStore.open(root));

    try (FileServer server = HttpFiles.serve(store, HOST, 0, ServerSettings.defaults());
        Carrier client = HttpFiles.connect(HOST, server.port(), HttpProtocol.HTTP_1_1)) {
      client.upload(letter, path, TransferOptions.DEFAULT);

      assertThat(root.resolve("letter.txt")).hasContent("hello");
      assertThatThrownBy(() -> client.download(path, copy, TransferOptions.DEFAULT))
          .hasMessageContaining("takes files only");
      assertThat(copy).doesNotExist();
    }
  }
}
