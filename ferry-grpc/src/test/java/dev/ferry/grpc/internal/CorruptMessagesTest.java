package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.github.luben.zstd.ZstdOutputStream;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.raw.Messages;
import dev.ferry.grpc.internal.raw.RawClient;
import dev.ferry.grpc.internal.raw.RawClient.Ending;
import dev.ferry.grpc.internal.raw.RawClient.IncomingResponse;
import dev.ferry.grpc.internal.raw.RawServer;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.contract.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each way to damage a compressed message, at both ends of {@code ZeroCopy}: what is said of it.
 */
class CorruptMessagesTest {
  private static final byte[] FILE = TestFiles.compressible(400_000, 1);
  private static final int CHUNK = 40_000;
  private static final int TRAILER = 8;

  @TempDir Path directory;

  /** What is done to a compressed message, and what both ends must say. */
  enum Damage {
    MAGIC(ErrorKind.INVALID_REQUEST, "no header begins", compressed -> with(compressed, 0, 0)),
    METHOD(ErrorKind.INVALID_REQUEST, "unknown method 7", compressed -> with(compressed, 2, 7)),
    FLAGS(ErrorKind.INVALID_REQUEST, "reserved flags", compressed -> with(compressed, 3, 0x80)),
    BODY(ErrorKind.INVALID_REQUEST, "bad deflate data", compressed -> with(compressed, 10, 0xff)),
    CRC(
        ErrorKind.INVALID_REQUEST,
        "the CRC-32 does not match",
        compressed ->
            with(
                compressed, compressed.length - TRAILER, ~compressed[compressed.length - TRAILER])),
    SMALLER_LENGTH(
        ErrorKind.INVALID_REQUEST,
        "the length does not match",
        compressed -> with(compressed, compressed.length - 3, 1)),
    GREATER_LENGTH(
        ErrorKind.INVALID_REQUEST,
        "the length does not match",
        compressed -> with(compressed, compressed.length - 1, 0x7f)),
    CUT_IN_THE_BODY(
        ErrorKind.INVALID_REQUEST,
        "in the middle of a member",
        compressed -> Arrays.copyOf(compressed, compressed.length / 2)),
    CUT_IN_THE_TRAILER(
        ErrorKind.INVALID_REQUEST,
        "in the middle of a member",
        compressed -> Arrays.copyOf(compressed, compressed.length - 1)),
    NOTHING(ErrorKind.INVALID_REQUEST, "0 bytes are too few", compressed -> new byte[0]),
    ONE_BYTE(ErrorKind.INVALID_REQUEST, "corrupt", compressed -> new byte[1]),
    GARBAGE_BEHIND(
        ErrorKind.INVALID_REQUEST,
        "no header begins",
        compressed -> Arrays.copyOf(compressed, compressed.length + 20)),
    BOMB(
        ErrorKind.TOO_LARGE,
        "4194304",
        compressed -> Messages.gzip(Messages.chunk(new byte[Limits.MAX_MESSAGE]))),
    BOMB_OF_MEMBERS(
        ErrorKind.TOO_LARGE,
        "more than the limit",
        compressed -> {
          byte[] half = Messages.gzip(new byte[Limits.MAX_MESSAGE / 2]);
          return Messages.join(List.of(half, half, half));
        }),
    NO_PART(
        ErrorKind.INVALID_REQUEST,
        "bad FilePart",
        compressed -> Messages.gzip(new byte[] {7, 7, 7})),
    EMPTY_PART(
        ErrorKind.INVALID_REQUEST, "none of facts", compressed -> Messages.gzip(new byte[0])),
    SECOND_FACTS(
        ErrorKind.INVALID_REQUEST,
        "facts came twice",
        compressed -> Messages.gzip(Messages.facts("x".repeat(2000), 1)));

    private final ErrorKind kind;
    private final String saying;
    private final UnaryOperator<byte[]> damage;

    Damage(ErrorKind kind, String saying, UnaryOperator<byte[]> damage) {
      this.kind = kind;
      this.saying = saying;
      this.damage = damage;
    }

    private static byte[] with(byte[] bytes, int at, int value) {
      byte[] changed = bytes.clone();
      changed[at] = (byte) value;
      return changed;
    }
  }

  /** A stream of which the message in the middle is damaged. */
  private static List<byte[]> frames(UnaryOperator<byte[]> damage, boolean sized) {
    List<byte[]> stream = new ArrayList<>();
    stream.add(Messages.prefixed(false, Messages.facts("file", sized ? FILE.length : -1)));
    for (int at = 0; at < FILE.length; at += CHUNK) {
      byte[] compressed = Messages.gzip(Messages.chunk(FILE, at, CHUNK));
      byte[] sent = at == FILE.length / 2 ? damage.apply(compressed) : compressed;
      stream.add(Messages.prefixed(true, sent));
    }
    return Messages.cut(Messages.join(stream), 30, new Random(1));
  }

  @ParameterizedTest
  @EnumSource
  void upload_ofADamagedMessage_saysWhatIsWrongAndLeavesNothing(Damage damage) throws Exception {
    MeasuredEnd end = new MeasuredEnd();
    GrpcFilesServer server =
        GrpcFilesServer.start(
            LocalFileStore.open(directory), "127.0.0.1", 0, end.setup(), ServerSettings.defaults());
    try (RawClient client = new RawClient(server.port())) {
      for (boolean sized : new boolean[] {true, false}) {
        IncomingResponse response =
            client.upload("gzip", frames(damage.damage, sized), Ending.HALF_CLOSE);
        assertThat(response.kind())
            .as("%s", response)
            .isEqualTo(damage.kind.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        assertThat(response.message()).contains(damage.saying);
        TestFiles.awaitTree(directory);
        end.awaitReleased();
      }
      assertThat(client.upload("gzip", frames(m -> m, true), Ending.HALF_CLOSE).ok()).isTrue();
      assertThat(directory.resolve("file")).binaryContent().isEqualTo(FILE);
    } finally {
      server.close();
    }
    end.awaitDrained();
  }

  @ParameterizedTest
  @EnumSource
  void download_ofADamagedMessage_saysWhatIsWrongAndLeavesNothing(Damage damage) throws Exception {
    MeasuredEnd end = new MeasuredEnd();
    Path target = directory.resolve("target");
    TransferOptions options = TransferOptions.DEFAULT.withGzip(true).withVerify(false);
    try (RawServer server = new RawServer();
        GrpcCarrier carrier =
            GrpcCarrier.connect("127.0.0.1", server.port(), end.setup(), null, null)) {
      for (boolean sized : new boolean[] {true, false}) {
        server.respondWith(frames(damage.damage, sized));
        Throwable thrown =
            catchThrowable(() -> carrier.download(StorePath.parse("file"), target, options));
        assertThat(thrown).isInstanceOf(FerryException.class).hasMessageContaining(damage.saying);
        assertThat(((FerryException) thrown).kind()).isEqualTo(damage.kind);
        TestFiles.awaitTree(directory);
        end.awaitReleased();
      }
      server.respondWith(frames(m -> m, false));
      carrier.download(StorePath.parse("file"), target, options);
      assertThat(target).binaryContent().isEqualTo(FILE);
    }
    end.awaitDrained();
  }

  /**
   * What a message decompresses to is known only at its end, if it has several members or does not
   * say it: it must not keep the room that it might have needed.
   */
  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void upload_ofManySmallMessagesThatHideTheirSize_takesLittleMemory(String encoding)
      throws Exception {
    MeasuredEnd end = new MeasuredEnd();
    GrpcFilesServer server =
        GrpcFilesServer.start(
            LocalFileStore.open(directory), "127.0.0.1", 0, end.setup(), ServerSettings.defaults());
    // Over what is looked at before it is decompressed by a worker, were it a whole.
    byte[] chunk = Messages.chunk(new byte[1000]);
    byte[] compressed = encoding.equals("gzip") ? members(chunk) : zstd(chunk);
    List<byte[]> frames = new ArrayList<>();
    frames.add(Messages.prefixed(false, Messages.facts("file", -1)));
    for (int i = 0; i < 200; i++) {
      frames.add(Messages.prefixed(true, compressed));
    }
    try (RawClient client = new RawClient(server.port())) {
      IncomingResponse response = client.upload(encoding, frames, Ending.HALF_CLOSE);
      assertThat(response.ok()).as("%s", response).isTrue();
    } finally {
      server.close();
    }
    assertThat(directory.resolve("file")).hasSize(200_000);
    assertThat(end.pooledBytes()).isLessThan(48 << 20);
    end.awaitDrained();
  }

  private static byte[] members(byte[] message) {
    int last = message.length - 600;
    return Messages.join(
        List.of(Messages.gzip(1, message, 0, last), Messages.gzip(1, message, last, 600)));
  }

  /** A stream of zstd's cannot know its length when it writes the frame's header. */
  private static byte[] zstd(byte[] message) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (ZstdOutputStream out = new ZstdOutputStream(compressed)) {
      out.write(message);
    }
    return compressed.toByteArray();
  }
}
