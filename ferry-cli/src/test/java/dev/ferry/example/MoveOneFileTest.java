package dev.ferry.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.LocalFileStore;
import dev.ferry.grpc.GrpcFilesServer;
import dev.ferry.grpc.Method;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MoveOneFileTest {
  @Test
  void run_twice_movesTheFileAndThenSaysTheNameIsTaken(@TempDir Path root, @TempDir Path local)
      throws Exception {
    Path file = Files.writeString(local.resolve("letter.txt"), "hello");
    Path copy = local.resolve("copy.txt");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    MoveOneFile example = new MoveOneFile(out);

    try (GrpcFilesServer server =
        GrpcFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, Method.ZERO_COPY)) {
      assertThat(example.run("127.0.0.1", server.port(), file, copy)).isTrue();
      assertThat(copy).hasContent("hello");

      assertThat(example.run("127.0.0.1", server.port(), file, copy)).isFalse();
    }

    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("5 of 5", "sent 5 bytes over h2", "fetched it, sha256 2cf24dba")
        .contains("choose another name: inbox/letter.txt: already exists");
  }
}
