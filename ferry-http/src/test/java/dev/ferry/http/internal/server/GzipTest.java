package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.Generated;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.http.internal.GzipEncoder;
import dev.ferry.http.internal.TestFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Our gzip and the JDK's understand each other, however the stream is split. */
class GzipTest {
  @Test
  void encode_anyBytesAndBuffer_jdkReadsThem() {
    Generated.check(200, input -> assertTheJdkReadsThem(input.bytes(5000), input.between(1, 6000)));
  }

  private static void assertTheJdkReadsThem(byte[] bytes, int buffer) throws IOException {
    Path file = Files.write(Files.createTempFile("gzip", null), bytes);
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    try (FileSource source = FileSource.open(file);
        GzipEncoder encoder = new GzipEncoder(source, buffer)) {
      ByteBuffer out = ByteBuffer.allocate(buffer);
      boolean ended;
      do {
        ended = encoder.fill(out.clear(), () -> false);
        assertThat(ended || !out.hasRemaining()).as("filled before it is sent").isTrue();
        encoded.write(out.array(), 0, out.position());
      } while (!ended);
    } finally {
      Files.delete(file);
    }
    byte[] decoded =
        new GZIPInputStream(new ByteArrayInputStream(encoded.toByteArray())).readAllBytes();
    assertThat(decoded).isEqualTo(bytes);
  }

  @Test
  void decode_anyBytesAndBufferSizes_sameBytes() {
    Generated.check(
        200,
        input -> {
          byte[] bytes = input.bytes(5000);
          byte[] member = withHeader(TestFiles.gzip(bytes), input.between(0, 31));
          ByteArrayOutputStream stream = new ByteArrayOutputStream();
          ByteArrayOutputStream expected = new ByteArrayOutputStream();
          for (int members = input.between(1, 2); members > 0; members--) {
            stream.write(member);
            expected.write(bytes);
          }
          byte[] decoded =
              decode(stream.toByteArray(), input.between(1, 6000), input.between(1, 6000));
          assertThat(decoded).isEqualTo(expected.toByteArray());
        });
  }

  /** The same member with the optional parts of a header that the flags name. */
  private static byte[] withHeader(byte[] member, int flags) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(member, 0, 3);
    out.write(flags);
    out.write(member, 4, 6);
    if ((flags & 4) != 0) {
      out.writeBytes(new byte[] {3, 0, 'a', 'b', 'c'});
    }
    if ((flags & 8) != 0) {
      out.writeBytes("name\0".getBytes(StandardCharsets.ISO_8859_1));
    }
    if ((flags & 16) != 0) {
      out.writeBytes("\0".getBytes(StandardCharsets.ISO_8859_1));
    }
    if ((flags & 2) != 0) {
      CRC32 crc = new CRC32();
      crc.update(out.toByteArray());
      out.write((int) crc.getValue());
      out.write((int) (crc.getValue() >> 8));
    }
    out.write(member, 10, member.length - 10);
    return out.toByteArray();
  }

  private static byte[] decode(byte[] stream, int input, int buffer) throws IOException {
    Path folder = Files.createTempDirectory("gzip");
    Path file = folder.resolve("f");
    try (FileSink sink = LocalFileSink.create(file, SinkOptions.DEFAULT);
        GzipDecoder decoder = new GzipDecoder("f", sink, buffer)) {
      for (int at = 0; at < stream.length; at += input) {
        decoder.decode(ByteBuffer.wrap(stream, at, Math.min(input, stream.length - at)));
      }
      decoder.finish();
      sink.commit(-1, null);
      return Files.readAllBytes(file);
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }
}
