package dev.ferry.suites.receiving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.StorePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReceivingStoreTest {
  private static final byte[] CONTENT = "what is sent".getBytes(StandardCharsets.UTF_8);
  private static final StorePath SENT = new StorePath("sent");

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private ReceivingStore store;

  @BeforeEach
  void open() throws FerryException {
    store = new ReceivingStore(folder, ReceivingSink.md5().digest(CONTENT), CONTENT.length);
  }

  private static void send(ReceivingStore store, StorePath name, byte[] content)
      throws IOException {
    try (FileSink sink = store.create(name, CreateOptions.DEFAULT)) {
      ByteBuffer[] parts = {
        ByteBuffer.wrap(content, 0, 5), ByteBuffer.wrap(content, 5, content.length - 5)
      };
      sink.write(parts, 0, parts.length);
      assertThat(sink.commit(-1, null).size()).isEqualTo(content.length);
    }
  }

  @Test
  void commit_withoutDigest_onlyLengthCounts() throws Exception {
    ReceivingStore counting = new ReceivingStore(folder, null, CONTENT.length);

    send(counting, SENT, new byte[CONTENT.length]);

    assertThat(counting.stat(ReceivingStore.RECEIVED, false).size()).isEqualTo(CONTENT.length);
    assertThatThrownBy(() -> send(counting, SENT, new byte[CONTENT.length + 1]))
        .hasMessageContaining("13 bytes arrived, not 12");
  }

  private long received() throws FerryException {
    return store.stat(ReceivingStore.RECEIVED, false).size();
  }

  @Test
  void commit_anyName_countedAndNotOnTheDisk() throws Exception {
    send(store, SENT, CONTENT);
    send(store, SENT, CONTENT);

    assertThat(received()).isEqualTo(2 * CONTENT.length);
    assertThat(store.exists(SENT)).isFalse();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void commit_kept_hasContent() throws Exception {
    send(store, ReceivingStore.KEPT, CONTENT);

    assertThat(folder.resolve(ReceivingStore.KEPT.value())).binaryContent().isEqualTo(CONTENT);
    assertThat(store.exists(ReceivingStore.KEPT)).isTrue();
    assertThat(received()).isZero();
  }

  @Test
  void commit_otherContentOrLength_failsAndIsNotCounted() throws Exception {
    byte[] other = CONTENT.clone();
    other[3]++;
    byte[] shorter = Arrays.copyOf(CONTENT, CONTENT.length - 1);

    assertThatThrownBy(() -> send(store, SENT, other)).hasMessageContaining("MD5");
    assertThatThrownBy(() -> send(store, SENT, shorter))
        .hasMessageContaining("11 bytes arrived, not 12");
    assertThat(received()).isZero();
  }
}
