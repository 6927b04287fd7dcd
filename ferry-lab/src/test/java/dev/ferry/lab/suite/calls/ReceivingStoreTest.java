package dev.ferry.lab.suite.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.FileSink;
import dev.ferry.core.StorePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReceivingStoreTest {
  private static final byte[] CONTENT = "what is sent".getBytes(StandardCharsets.UTF_8);
  private static final byte[] MD5 = ReceivingChannel.md5().digest(CONTENT);

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  Path folder;

  private void send(byte[] md5, String name, byte[] content) throws IOException {
    ReceivingStore store = new ReceivingStore(folder, md5, CONTENT.length);
    try (FileSink sink = store.create(StorePath.parse(name), false)) {
      ByteBuffer[] parts = {
        ByteBuffer.wrap(content, 0, 5), ByteBuffer.wrap(content, 5, content.length - 5)
      };
      sink.write(parts, 0, parts.length);
      assertThat(sink.commit(content.length, null).size()).isEqualTo(content.length);
    }
  }

  @Test
  void create_anyName_hasLengthAndNoContent() throws Exception {
    send(MD5, "a", CONTENT);

    assertThat(folder.resolve("a")).hasBinaryContent(new byte[CONTENT.length]);
    assertThat(Files.list(folder)).hasSize(1);
  }

  @Test
  void create_kept_hasContent() throws Exception {
    send(MD5, ReceivingStore.KEPT, CONTENT);

    assertThat(folder.resolve(ReceivingStore.KEPT)).hasBinaryContent(CONTENT);
  }

  @Test
  void commit_otherDigest_fails() {
    byte[] other = CONTENT.clone();
    other[3]++;

    assertThatThrownBy(() -> send(MD5, "a", other)).hasMessageContaining("MD5");
    assertThat(folder.resolve("a")).doesNotExist();
  }
}
