package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import dev.ferry.compress.CompressionCodec;
import dev.ferry.core.Compression;
import dev.ferry.core.Crc32c;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FuzzTarget;
import dev.ferry.core.Fuzzing;
import dev.ferry.core.Sha256;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.grpc.internal.message.ChunkFormat;
import dev.ferry.grpc.internal.message.ChunkMessage;
import dev.ferry.grpc.internal.message.CompressionWorkers;
import dev.ferry.grpc.internal.raw.Messages;
import dev.ferry.wire.internal.v1.FileFacts;
import dev.ferry.wire.internal.v1.FilePart;
import io.grpc.internal.CompositeReadableBuffer;
import io.grpc.internal.ForwardingReadableBuffer;
import io.grpc.internal.ReadableBuffer;
import io.grpc.internal.ReadableBuffers;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a file, as grpc-java gives them to the receiver, and to protobuf's own parser:
 * each has two bytes of length before it, and one that says whether it is compressed and how its
 * bytes came.
 */
final class MessagesFuzzTest implements FuzzTarget {
  private static final int COMPRESSED = 1;
  private static final int ZSTD = 2;
  private static final int COPIED = 4;
  private static final int PIECES = 8;

  private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(false);
  private final CompressionWorkers workers =
      new CompressionWorkers("fuzz", 1, () -> CompressionCodec.GZIP_JDK);
  private final ChunkFormat format = new ChunkFormat(buffers, workers, any -> true);

  /** A message as it arrives. */
  private record Message(int flags, byte[] bytes) {
    boolean has(int flag) {
      return (flags & flag) != 0;
    }
  }

  /** A buffer of the transport that says whether it was released. */
  private static final class Counted extends ForwardingReadableBuffer {
    private boolean closed;

    Counted(ReadableBuffer buffer) {
      super(buffer);
    }

    @Override
    public void close() {
      closed = true;
      super.close();
    }
  }

  private static final class Receiver extends FileReceiver {
    Receiver(ChunkFormat format, Path file) {
      super(
          format,
          first -> new Opened(LocalFileSink.create(file, SinkOptions.DEFAULT), false),
          () -> 0,
          Progress.NONE);
    }

    @Override
    void taken() {}

    @Override
    void failed(FerryException failure) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }

  @Override
  public void parse(byte[] input) throws Exception {
    List<Message> messages = messages(ByteBuffer.wrap(input));
    byte[] expected = reference(messages);
    Path folder = Fuzzing.emptyFolder("messages");
    byte[] file = receive(messages, folder.resolve("file"));
    if (file != null) {
      assertThat(file).isEqualTo(expected);
    } else {
      // Of what is compressed, this receiver refuses more.
      assertThat(expected == null || messages.stream().anyMatch(m -> m.has(COMPRESSED)))
          .as("refused")
          .isTrue();
      assertThat(TestFiles.tree(folder)).isEmpty();
    }
    long used = buffers.metric().usedHeapMemory() + buffers.metric().usedDirectMemory();
    assertThat(used).as("bytes of buffers that were not released").isZero();
  }

  private static List<Message> messages(ByteBuffer in) {
    List<Message> messages = new ArrayList<>();
    while (in.remaining() >= 3) {
      int flags = in.get();
      byte[] bytes = new byte[Math.min(in.getShort() & 0xffff, in.remaining())];
      in.get(bytes);
      messages.add(new Message(flags, bytes));
    }
    return messages;
  }

  /** Returns the file that was received; null if it was refused. */
  private byte @Nullable [] receive(List<Message> messages, Path file) throws Exception {
    List<Counted> counted = new ArrayList<>();
    Receiver receiver = new Receiver(format, file);
    try {
      for (Message message : messages) {
        receiver.onNext(arrived(message, counted));
      }
      assertThat(receiver.commit(true).size()).isEqualTo(Files.size(file));
      return Files.readAllBytes(file);
    } catch (FerryException e) {
      receiver.abort();
      assertThat(e.kind())
          .isIn(
              ErrorKind.INVALID_REQUEST,
              ErrorKind.INCOMPLETE,
              ErrorKind.DIGEST_MISMATCH,
              ErrorKind.TOO_LARGE,
              ErrorKind.OUT_OF_SPACE);
      return null;
    } finally {
      // What is being decompressed is released after that.
      CountDownLatch idle = new CountDownLatch(1);
      workers.execute(idle::countDown);
      idle.await();
      assertThat(counted).allMatch(buffer -> buffer.closed);
    }
  }

  private ChunkMessage arrived(Message message, List<Counted> counted) throws IOException {
    try (InputStream stream = stream(message, counted)) {
      return format.marshaller("ferry.v1.Files/Upload").parse(stream);
    }
  }

  private InputStream stream(Message message, List<Counted> counted) throws IOException {
    InputStream plain =
        message.has(COPIED)
            ? new ByteArrayInputStream(message.bytes())
            : ReadableBuffers.openStream(buffer(message, counted), true);
    if (!message.has(COMPRESSED)) {
      return plain;
    }
    // What grpc-java puts around the stream of a codec forwards all calls.
    int codec = (message.has(ZSTD) ? Compression.Format.ZSTD : Compression.Format.GZIP).ordinal();
    return new FilterInputStream(format.codecs().get(codec).decompress(plain)) {};
  }

  private static ReadableBuffer buffer(Message message, List<Counted> counted) {
    CompositeReadableBuffer all = new CompositeReadableBuffer();
    int piece = message.has(PIECES) ? 3 : Math.max(1, message.bytes().length);
    for (int at = 0; at < message.bytes().length; at += piece) {
      int length = Math.min(piece, message.bytes().length - at);
      all.addBuffer(ReadableBuffers.wrap(ByteBuffer.wrap(message.bytes(), at, length)));
    }
    Counted buffer = new Counted(all);
    counted.add(buffer);
    return buffer;
  }

  /** Returns the file that a plain receiver stores; null if it refuses. */
  private static byte @Nullable [] reference(List<Message> messages) {
    FileFacts facts = null;
    Digest digest = null;
    boolean follows = false;
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try {
      for (Message message : messages) {
        FilePart part = FilePart.parseFrom(plain(message));
        boolean known = part.hasFacts() || part.hasChunk() || part.hasEnd();
        if (!known || part.hasFacts() == (facts != null)) {
          return null;
        }
        if (part.hasFacts()) {
          facts = part.getFacts();
          digest = Facts.fromMessage(facts).sha256();
          digest = digest == null ? Facts.fromMessage(facts).crc32c() : digest;
          follows = part.getOptions().getDigestFollows();
        }
        Digest stated = Facts.digest(part.getEnd());
        digest = stated == null ? digest : stated;
        part.getChunk().writeTo(file);
      }
      byte[] bytes = file.toByteArray();
      boolean whole = facts != null && (!facts.hasSize() || facts.getSize() == bytes.length);
      boolean right =
          digest == null ? !follows : digest.equals(digestOf(bytes, digest.algorithm()));
      return whole && right ? bytes : null;
    } catch (IOException e) {
      return null;
    }
  }

  private static Digest digestOf(byte[] file, Digest.Algorithm algorithm) throws IOException {
    if (algorithm == Digest.Algorithm.SHA256) {
      return Sha256.of(Messages.sha256(file));
    }
    CRC32C crc = new CRC32C();
    crc.update(file);
    return Crc32c.of(crc);
  }

  private static byte[] plain(Message message) throws IOException {
    if (!message.has(COMPRESSED)) {
      return message.bytes();
    }
    InputStream in = new ByteArrayInputStream(message.bytes());
    try (InputStream plain =
        message.has(ZSTD) ? new ZstdInputStream(in) : new GZIPInputStream(in)) {
      return plain.readAllBytes();
    }
  }
}
