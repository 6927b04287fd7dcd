package dev.ferry.zerocopy;

import static dev.ferry.zerocopy.BlobCalls.SIZE;
import static dev.ferry.zerocopy.BlobCalls.messages;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ferry.zerocopy.BlobCalls.Use;
import dev.ferry.zerocopy.CopyCounters.Snapshot;
import io.grpc.CallOptions;
import io.grpc.Codec;
import io.grpc.CompressorRegistry;
import io.grpc.DecompressorRegistry;
import io.grpc.MethodDescriptor;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.util.Version;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the hand-off leans on: grpc-java's framer asks the channel's allocator for exactly the size
 * of a message and its prefix, trusts the count of {@code drainTo}, and flushes each message; its
 * streams can be detached and viewed. The day a release of grpc-java does otherwise, calls still
 * work, as those of the {@linkplain Framer framers} here, and this fails. The thorough build runs
 * it with several versions of grpc-java.
 */
class HandOffContractTest {
  @TempDir Path folder;
  private BlobServer blobs;
  private BlobCalls calls;

  /** Buffers that a framer has taken and not written to. */
  private final Queue<ByteBuf> taken = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void makeFile() throws IOException {
    blobs = new BlobServer(folder);
    calls = new BlobCalls(folder);
  }

  @AfterEach
  void countBuffers() throws InterruptedException {
    taken.forEach(ByteBuf::release);
    BlobCalls.assertReleased(calls.pool, blobs.pool);
  }

  /** What this run is named for is what it runs with. */
  @Test
  void versions_areThoseOfTheRun() throws Exception {
    String grpc = System.getProperty("grpc.version");
    assumeThat(grpc).isNotNull();
    // By reflection, since the compiler puts the value of a constant into its users.
    Object running =
        Class.forName("io.grpc.internal.GrpcUtil").getField("IMPLEMENTATION_VERSION").get(null);
    assertThat(running).isEqualTo(grpc);
    Map<String, Version> netty = new HashMap<>(Version.identify());
    // It makes certificates for tests.
    netty.remove("netty-pkitesting");
    assertThat(netty.values())
        .extracting(Version::artifactVersion)
        .containsOnly(System.getProperty("netty.version"));
  }

  private void between(UnaryOperator<ByteBufAllocator> framer, Use use) throws Exception {
    BlobCalls.between(
        ZeroCopy.server(BlobCalls.listen(), blobs.pool)
            .withChildOption(
                ChannelOption.ALLOCATOR, framer.apply(new HandOffAllocator(blobs.pool)))
            .directExecutor()
            .addService(blobs.converted())
            .build(),
        port ->
            ZeroCopy.client(BlobCalls.connect(port), calls.pool)
                .withOption(ChannelOption.ALLOCATOR, framer.apply(new HandOffAllocator(calls.pool)))
                .usePlaintext()
                .directExecutor()
                .build(),
        use);
  }

  private void assertWritten(long size) {
    assertThat(size).isEqualTo(SIZE);
    assertThat(folder.resolve("written")).binaryContent().isEqualTo(calls.content);
  }

  @ParameterizedTest
  @ValueSource(ints = {4096, 4091, 16384, 65536, 81920, 262144})
  void messages_ofAnySize_areHandedOffAndViewed(int chunkSize) throws Exception {
    int messages = messages(chunkSize);
    between(
        allocator -> allocator,
        channel -> {
          assertThat(calls.read(channel, chunkSize, CallOptions.DEFAULT)).isEqualTo(calls.content);
          assertThat(blobs.data.copies().snapshot()).isEqualTo(new Snapshot(messages, 0, 0, 0));
          assertThat(calls.data.copies().snapshot()).isEqualTo(new Snapshot(0, 0, messages, 0));

          assertWritten(calls.write(channel, chunkSize, CallOptions.DEFAULT));
          Snapshot both = new Snapshot(messages, 0, messages, 0);
          assertThat(calls.data.copies().snapshot()).isEqualTo(both);
          assertThat(blobs.data.copies().snapshot()).isEqualTo(both);
        });
  }

  /** Frames end within such messages, and buffers of under 1 KiB are merged by grpc-java. */
  @Test
  void messages_ofTheLargestSize_areHandedOffAndMostlyViewed() throws Exception {
    int messages = messages(FileSender.MAX_CHUNK);
    between(
        allocator -> allocator,
        channel -> {
          assertThat(calls.read(channel, FileSender.MAX_CHUNK, CallOptions.DEFAULT))
              .isEqualTo(calls.content);
          assertThat(blobs.data.copies().snapshot()).isEqualTo(new Snapshot(messages, 0, 0, 0));
          Snapshot in = calls.data.copies().snapshot();
          assertThat(in.viewed() + in.copiedIn()).isEqualTo(messages);
          assertThat(in.viewed()).isGreaterThan(messages / 2);

          assertWritten(calls.write(channel, FileSender.MAX_CHUNK, CallOptions.DEFAULT));
          Snapshot out = calls.data.copies().snapshot();
          assertThat(out.handedOff()).isEqualTo(messages);
          assertThat(out.copiedOut()).isZero();
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {4096, 65536, 262144})
  void messages_ofACodecWithBuffersOfItsOwn_areHandedOffAndDetached(int chunkSize)
      throws Exception {
    Inverting codec = new Inverting();
    CompressorRegistry compressors = CompressorRegistry.newEmptyInstance();
    compressors.register(codec);
    BlobCalls.between(
        ZeroCopy.server(BlobCalls.listen(), blobs.pool)
            .decompressorRegistry(DecompressorRegistry.emptyInstance().with(codec, true))
            .addService(blobs.converted())
            .build(),
        port ->
            ZeroCopy.client(BlobCalls.connect(port), calls.pool)
                .compressorRegistry(compressors)
                .usePlaintext()
                .build(),
        channel -> {
          CallOptions inverted = CallOptions.DEFAULT.withCompression(codec.getMessageEncoding());
          assertWritten(calls.write(channel, chunkSize, inverted));
        });
    assertThat(codec.handedOff).hasValue(messages(chunkSize));
    assertThat(codec.detached).hasValue(messages(chunkSize));
  }

  /** Changes each bit: of the buffer that is sent, and of the views of what has come. */
  private final class Inverting implements Codec {
    final AtomicInteger handedOff = new AtomicInteger();
    final AtomicInteger detached = new AtomicInteger();

    @Override
    public String getMessageEncoding() {
      return "inverted";
    }

    @Override
    public OutputStream compress(OutputStream target) {
      return new ByteArrayOutputStream() {
        @Override
        public void close() throws IOException {
          ByteBuf inverted = calls.pool.directBuffer(count, count);
          inverted.writeBytes(inverted(buf, count));
          if (HandOffAllocator.handOff(inverted, target)) {
            handedOff.incrementAndGet();
          } else {
            inverted.release();
          }
        }
      };
    }

    @Override
    public InputStream decompress(InputStream source) throws IOException {
      try (DetachedBytes message = Objects.requireNonNull(DetachedBytes.of(source))) {
        ByteBuffer bytes = ByteBuffer.allocate(message.length());
        message.buffers().forEach(bytes::put);
        detached.incrementAndGet();
        return new ByteArrayInputStream(inverted(bytes.array(), bytes.capacity()));
      }
    }

    private byte[] inverted(byte[] bytes, int length) {
      byte[] inverted = new byte[length];
      for (int i = 0; i < length; i++) {
        inverted[i] = (byte) ~bytes[i];
      }
      return inverted;
    }
  }

  /** How a later framer may ask for the buffer of a message. */
  private enum Framer {
    /** A longer prefix, for instance. */
    FOR_MORE {
      @Override
      ByteBuf buffer(ByteBufAllocator allocator, int bytes, int most, Queue<ByteBuf> taken) {
        return allocator.buffer(bytes + 1, most + 1);
      }
    },
    FOR_ONE_THAT_GROWS {
      @Override
      ByteBuf buffer(ByteBufAllocator allocator, int bytes, int most, Queue<ByteBuf> taken) {
        return allocator.buffer(bytes, Integer.MAX_VALUE);
      }
    },
    BY_ANOTHER_METHOD {
      @Override
      ByteBuf buffer(ByteBufAllocator allocator, int bytes, int most, Queue<ByteBuf> taken) {
        return allocator.directBuffer(bytes, most);
      }
    },
    /** It writes the message to the second buffer. */
    TWICE {
      @Override
      ByteBuf buffer(ByteBufAllocator allocator, int bytes, int most, Queue<ByteBuf> taken) {
        taken.add(allocator.buffer(bytes, most));
        return allocator.buffer(bytes, most);
      }
    },
    /** The heap of grpc-java, or anything else. */
    OF_ANOTHER_ALLOCATOR {
      @Override
      ByteBuf buffer(ByteBufAllocator allocator, int bytes, int most, Queue<ByteBuf> taken) {
        return UnpooledByteBufAllocator.DEFAULT.heapBuffer(bytes, most);
      }
    };

    abstract ByteBuf buffer(ByteBufAllocator allocator, int bytes, int most, Queue<ByteBuf> taken);

    /** Returns an allocator whose user, grpc-java, seems to be this framer. */
    ByteBufAllocator in(ByteBufAllocator allocator, Queue<ByteBuf> taken) {
      return (ByteBufAllocator)
          Proxy.newProxyInstance(
              Framer.class.getClassLoader(),
              new Class<?>[] {ByteBufAllocator.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("buffer") && method.getParameterCount() == 2) {
                  return buffer(allocator, (int) arguments[0], (int) arguments[1], taken);
                }
                try {
                  return method.invoke(allocator, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getTargetException();
                }
              });
    }
  }

  @ParameterizedTest
  @EnumSource
  void framer_thatAsksOtherwise_copiesAndCounts(Framer framer) throws Exception {
    int[] chunkSizes =
        Boolean.getBoolean("ferry.thorough")
            ? new int[] {1000, 4091, 65536, FileSender.MAX_CHUNK}
            : new int[] {4091, FileSender.MAX_CHUNK};
    for (int chunkSize : chunkSizes) {
      Snapshot read = blobs.data.copies().snapshot();
      Snapshot written = calls.data.copies().snapshot();
      between(
          allocator -> framer.in(allocator, taken),
          channel -> {
            assertThat(calls.read(channel, chunkSize, CallOptions.DEFAULT))
                .isEqualTo(calls.content);
            assertWritten(calls.write(channel, chunkSize, CallOptions.DEFAULT));
          });
      assertCopied(read, blobs.data.copies().snapshot(), messages(chunkSize));
      assertCopied(written, calls.data.copies().snapshot(), messages(chunkSize));
    }
  }

  private static void assertCopied(Snapshot before, Snapshot after, int messages) {
    assertThat(after.handedOff()).isZero();
    assertThat(after.copiedOut() - before.copiedOut()).isEqualTo(messages);
  }

  /** Messages, and streams of them, that are neither drained nor viewed, but read. */
  @Test
  void streams_thatAreOnlyRead_areCopiedAndCounted() throws Exception {
    BlobCalls.between(
        ZeroCopy.server(BlobCalls.listen(), blobs.pool)
            .addService(
                blobs.converted(
                    blobs.read.toBuilder(
                            blobs.read.getRequestMarshaller(),
                            new OnlyRead<>(blobs.read.getResponseMarshaller()))
                        .build(),
                    blobs.write.toBuilder(
                            new OnlyRead<>(blobs.write.getRequestMarshaller()),
                            blobs.write.getResponseMarshaller())
                        .build()))
            .build(),
        port -> ZeroCopy.client(BlobCalls.connect(port), calls.pool).usePlaintext().build(),
        channel -> {
          assertThat(
                  calls.read(
                      channel,
                      calls.read.toBuilder(
                              calls.read.getRequestMarshaller(),
                              new OnlyRead<>(calls.read.getResponseMarshaller()))
                          .build(),
                      65536,
                      CallOptions.DEFAULT))
              .isEqualTo(calls.content);
          assertWritten(
              calls.write(
                  channel,
                  calls.write.toBuilder(
                          new OnlyRead<>(calls.write.getRequestMarshaller()),
                          calls.write.getResponseMarshaller())
                      .build(),
                  65536,
                  CallOptions.DEFAULT));
        });
    Snapshot all = new Snapshot(0, messages(65536), 0, messages(65536));
    assertThat(blobs.data.copies().snapshot()).isEqualTo(all);
    assertThat(calls.data.copies().snapshot()).isEqualTo(all);
  }

  private record OnlyRead<T>(MethodDescriptor.Marshaller<T> messages)
      implements MethodDescriptor.Marshaller<T> {
    @Override
    public InputStream stream(T message) {
      return new FilterInputStream(messages.stream(message)) {};
    }

    @Override
    public T parse(InputStream stream) {
      return messages.parse(new FilterInputStream(stream) {});
    }
  }
}
