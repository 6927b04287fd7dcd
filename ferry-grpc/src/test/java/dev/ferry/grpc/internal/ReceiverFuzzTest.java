package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Generated;
import dev.ferry.core.Round;
import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.raw.Messages;
import dev.ferry.grpc.internal.raw.RawCase;
import dev.ferry.grpc.internal.raw.RawCase.Damage;
import dev.ferry.grpc.internal.raw.RawClient;
import dev.ferry.grpc.internal.raw.RawClient.Ending;
import dev.ferry.grpc.internal.raw.RawClient.IncomingResponse;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.contract.Limits;
import dev.ferry.wire.internal.v1.FileFacts;
import dev.ferry.wire.internal.v1.FilePart;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The receiver against a plain one, which has all bytes at once and decompresses by the JDK's own
 * stream: the same random bytes, sound and damaged, to both.
 */
class ReceiverFuzzTest {
  /**
   * Damage that the JDK's stream may not mind: it ignores flags that mean nothing, and what follows
   * a member and is no other, be it the broken or cut-off header of one. Ours refuses all of it.
   */
  private static final Set<Damage> REFUSED_BY_OURS_ALONE =
      EnumSet.of(Damage.HEADER, Damage.BODY, Damage.TRUNCATED, Damage.GARBAGE_BEHIND);

  private static final MeasuredEnd END = new MeasuredEnd();
  private static @Nullable Server fast;

  /** A server, its store and a connection to it. */
  private record Server(Path root, GrpcFilesServer server, RawClient client) {
    static Server start(GrpcSetup setup) throws Exception {
      Path root = Files.createTempDirectory("fuzz");
      GrpcFilesServer server =
          GrpcFilesServer.start(
              LocalFileStore.open(root), "127.0.0.1", 0, setup, ServerSettings.defaults());
      return new Server(root, server, new RawClient(server.port()));
    }

    /** The bytes that arrived; null if there is no file. */
    byte @Nullable [] upload(RawCase sent) throws Exception {
      IncomingResponse response = client.upload("gzip", sent.frames(), sent.ending());
      Path file = root.resolve(RawCase.NAME);
      if (sent.ending() == Ending.RESET || !response.ok()) {
        TestFiles.awaitTree(root);
        return null;
      }
      byte[] bytes = Files.readAllBytes(file);
      Files.delete(file);
      TestFiles.awaitTree(root);
      return bytes;
    }

    void stop() throws IOException {
      client.close();
      server.close();
      Files.delete(root);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    fast = Server.start(END.setup());
  }

  @AfterAll
  static void stop() throws Exception {
    if (fast != null) {
      fast.stop();
    }
    END.awaitDrained();
  }

  /** Returns the file that a plain receiver stores; null if it refuses. */
  private static byte @Nullable [] plain(RawCase sent) {
    if (sent.ending() == Ending.RESET) {
      return null;
    }
    ByteBuffer stream = ByteBuffer.wrap(Messages.join(sent.frames()));
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    FileFacts facts = null;
    byte[] digest = {};
    try {
      while (stream.hasRemaining()) {
        boolean compressed = stream.get() == 1;
        byte[] message = new byte[stream.getInt()];
        stream.get(message);
        FilePart part = FilePart.parseFrom(compressed ? gunzip(message) : message);
        if (part.hasFacts() == (facts != null)) {
          return null;
        }
        facts = part.hasFacts() ? part.getFacts() : facts;
        file.writeBytes(part.getChunk().toByteArray());
        digest = part.getEnd().getSha256().toByteArray();
      }
    } catch (IOException | BufferUnderflowException e) {
      return null;
    }
    byte[] bytes = file.toByteArray();
    boolean whole = facts != null && (!facts.hasSize() || facts.getSize() == bytes.length);
    return whole && (digest.length == 0 || Arrays.equals(digest, Messages.sha256(bytes)))
        ? bytes
        : null;
  }

  private static byte[] gunzip(byte[] compressed) throws IOException {
    try (InputStream gzip = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      byte[] bytes = gzip.readNBytes(Limits.MAX_MESSAGE + 1);
      if (bytes.length > Limits.MAX_MESSAGE) {
        throw new IOException("too large");
      }
      return bytes;
    }
  }

  @Test
  void upload_ofAnyBytes_endsAsOnThePlainPath() {
    Generated.check(
        Round.times(150, 750),
        input -> assertEndsAsOnThePlainPath(RawCase.random(input.anyLong())));
  }

  private static void assertEndsAsOnThePlainPath(RawCase sent) throws Exception {
    if (fast == null) {
      throw new IllegalStateException("the server did not start");
    }
    byte[] expected = plain(sent);
    byte[] arrived = fast.upload(sent);
    if (arrived != null) {
      assertThat(arrived).as("%s", sent).isEqualTo(expected);
    } else if (expected != null) {
      assertThat(sent.damage()).as("%s", sent).isIn(REFUSED_BY_OURS_ALONE);
    }
    if (sent.damage() == Damage.NONE && sent.ending() == Ending.HALF_CLOSE) {
      assertThat(arrived).as("%s", sent).isEqualTo(sent.file());
    }
    assertThat(END.usedBytes()).as("after %s", sent).isLessThan(16 << 20);
  }
}
