package dev.ferry.http.internal.page;

import static dev.ferry.http.internal.page.FormSinkTest.TYPE;
import static dev.ferry.http.internal.page.FormSinkTest.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.Generated;
import dev.ferry.core.StorePath;
import dev.ferry.core.local.LocalFileStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Forms of any content and in any pieces, and forms that are broken. */
class HostileFormsTest {
  /** What boundaries are made of. */
  private static final List<String> PIECES =
      List.of("\r", "\n", "-", "--XX", "X", "\r\n--X", "\r\n--", "y", "y".repeat(200));

  @Test
  void write_anyContentInAnyPieces_storesTheSame() {
    Generated.check(
        200,
        input ->
            assertStoresTheSame(
                input.joined(0, 100, () -> input.of(PIECES)), input.between(1, 300)));
  }

  private static void assertStoresTheSame(String text, int piece) throws Exception {
    String content = text;
    while (content.contains("\r\n--XX")) {
      content = content.replace("\r\n--XX", "");
    }
    byte[] form = (file("filename=\"a\"", content) + "--XX--\r\n").getBytes(StandardCharsets.UTF_8);
    Path folder = Files.createTempDirectory("form");
    try {
      FileStore store = LocalFileStore.open(folder);
      try (FormSink sink = new FormSink(store, StorePath.ROOT, TYPE)) {
        for (int at = 0; at < form.length; at += piece) {
          sink.write(ByteBuffer.wrap(form, at, Math.min(piece, form.length - at)));
        }
        assertThat(sink.commit(-1, null).directory()).isTrue();
      }
      assertThat(Files.readString(folder.resolve("a"))).isEqualTo(content);
    } finally {
      Files.deleteIfExists(folder.resolve("a"));
      Files.delete(folder);
    }
  }

  @Test
  void write_mutatedForm_isStoredOrRefused() {
    Generated.check(
        300,
        input -> assertIsStoredOrRefused(input.between(0, 199), input.anyByte(), input.flag()));
  }

  private static void assertIsStoredOrRefused(int at, byte value, boolean cut) throws Exception {
    byte[] form =
        (file("filename=\"a\"", "content") + "--XX--\r\n").getBytes(StandardCharsets.UTF_8);
    int index = at % form.length;
    form[index] = value;
    Path folder = Files.createTempDirectory("form");
    try (FormSink sink = new FormSink(LocalFileStore.open(folder), StorePath.ROOT, TYPE)) {
      sink.write(ByteBuffer.wrap(form, 0, cut ? index : form.length));
      assertThat(sink.commit(-1, null).directory()).isTrue();
    } catch (FerryException e) {
      assertThat(e.kind())
          .isIn(ErrorKind.INVALID_REQUEST, ErrorKind.INVALID_PATH, ErrorKind.INCOMPLETE);
    } finally {
      try (Stream<Path> left = Files.walk(folder)) {
        for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
