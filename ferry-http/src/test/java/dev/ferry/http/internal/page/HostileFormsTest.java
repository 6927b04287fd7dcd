package dev.ferry.http.internal.page;

import static dev.ferry.http.internal.page.FormSinkTest.TYPE;
import static dev.ferry.http.internal.page.FormSinkTest.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.local.LocalFileStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Forms of any content and in any pieces, and forms that are broken. */
class HostileFormsTest {
  @Property(tries = 200)
  void write_anyContentInAnyPieces_storesTheSame(
      @ForAll List<@From("pieces") String> parts, @ForAll @IntRange(min = 1, max = 300) int piece)
      throws Exception {
    String content = String.join("", parts);
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

  /** What boundaries are made of. */
  @Provide
  Arbitrary<String> pieces() {
    return Arbitraries.of("\r", "\n", "-", "--XX", "X", "\r\n--X", "\r\n--", "y", "y".repeat(200));
  }

  @Property(tries = 300)
  void write_mutatedForm_isStoredOrRefused(
      @ForAll @IntRange(max = 199) int at, @ForAll byte value, @ForAll boolean cut)
      throws Exception {
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
