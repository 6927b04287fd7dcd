package dev.ferry.zerocopy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Reads and writes the file of a folder by the service of {@link BlobServer}: as a client with
 * generated code alone, and as a converted one.
 */
final class BlobCalls {
  static final int SIZE = 3_000_001;

  final PooledByteBufAllocator pool = newPool();
  final BytesField<Blob> data =
      BytesField.of(Blob.getDefaultInstance(), Blob.DATA_FIELD_NUMBER, pool);
  final MethodDescriptor<ReadRequest, BytesMessage<Blob>> read =
      data.responses(BlobStoreGrpc.getReadMethod());
  final MethodDescriptor<BytesMessage<Blob>, WriteResponse> write =
      data.requests(BlobStoreGrpc.getWriteMethod());
  final byte[] content = new byte[SIZE];
  private final Path file;

  /** Puts a file into the folder of the server. */
  BlobCalls(Path folder) throws IOException {
    new Random(1).nextBytes(content);
    file = Files.write(folder.resolve("file"), content);
  }

  /** Uses a server. */
  interface Use {
    void on(ManagedChannel channel) throws Exception;
  }

  /** Starts a server and connects to its port; stops both at the end. */
  static void between(Server server, IntFunction<ManagedChannel> connect, Use use)
      throws Exception {
    server.start();
    ManagedChannel channel = connect.apply(server.getPort());
    try {
      use.on(channel);
    } finally {
      stop(server, channel);
    }
  }

  static void stop(Server server, ManagedChannel channel) throws InterruptedException {
    channel.shutdownNow();
    server.shutdownNow();
    assertThat(channel.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    assertThat(server.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
  }

  static NettyServerBuilder listen() {
    return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0));
  }

  static NettyChannelBuilder connect(int port) {
    return NettyChannelBuilder.forAddress("127.0.0.1", port);
  }

  static PooledByteBufAllocator newPool() {
    return new PooledByteBufAllocator(true, 0, 1, 8192, 8, 0, 0, true);
  }

  /** All that was taken of the pools was given back. */
  static void assertReleased(PooledByteBufAllocator... pools) throws InterruptedException {
    // The event loop of a closed connection still allocates and releases after its call has ended.
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    for (PooledByteBufAllocator pool : pools) {
      long active = active(pool);
      while (active != 0 && System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(5);
        active = active(pool);
      }
      assertThat(active).isZero();
    }
  }

  private static long active(PooledByteBufAllocator pool) {
    return pool.metric().directArenas().get(0).numActiveAllocations();
  }

  static int messages(int chunkSize) {
    return (SIZE + chunkSize - 1) / chunkSize;
  }

  static ReadRequest request(int chunkSize) {
    return ReadRequest.newBuilder().setName("file").setChunkSize(chunkSize).build();
  }

  byte[] stockRead(Channel channel, int chunkSize, CallOptions options) {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    String etag = "";
    Iterator<Blob> parts =
        ClientCalls.blockingServerStreamingCall(
            channel, BlobStoreGrpc.getReadMethod(), options, request(chunkSize));
    while (parts.hasNext()) {
      Blob part = parts.next();
      if (part.getEtag().isEmpty()) {
        assertThat(part.getOffset()).isEqualTo(received.size());
      }
      etag = part.getEtag();
      received.writeBytes(part.getData().toByteArray());
    }
    assertThat(etag).isEqualTo("the end");
    return received.toByteArray();
  }

  byte[] read(Channel channel, int chunkSize, CallOptions options) throws IOException {
    return read(channel, read, chunkSize, options);
  }

  byte[] read(
      Channel channel,
      MethodDescriptor<ReadRequest, BytesMessage<Blob>> method,
      int chunkSize,
      CallOptions options)
      throws IOException {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    String etag = "";
    Iterator<BytesMessage<Blob>> parts =
        ClientCalls.blockingServerStreamingCall(channel, method, options, request(chunkSize));
    while (parts.hasNext()) {
      try (BytesMessage<Blob> part = parts.next()) {
        if (part.hasBytes()) {
          assertThat(part.rest().getOffset()).isEqualTo(received.size());
        }
        etag = part.rest().getEtag();
        for (ByteBuffer view : part.buffers()) {
          Channels.newChannel(received).write(view.duplicate());
        }
      }
    }
    assertThat(etag).isEqualTo("the end");
    return received.toByteArray();
  }

  long stockWrite(Channel channel, int chunkSize, CallOptions options) throws Exception {
    Reply reply = new Reply();
    StreamObserver<Blob> requests =
        ClientCalls.asyncClientStreamingCall(
            channel.newCall(BlobStoreGrpc.getWriteMethod(), options), reply);
    for (int at = 0; at < SIZE; at += chunkSize) {
      int n = Math.min(chunkSize, SIZE - at);
      requests.onNext(Blob.newBuilder().setData(ByteString.copyFrom(content, at, n)).build());
    }
    requests.onCompleted();
    return reply.size();
  }

  long write(Channel channel, int chunkSize, CallOptions options) throws Exception {
    return write(channel, write, chunkSize, options);
  }

  long write(
      Channel channel,
      MethodDescriptor<BytesMessage<Blob>, WriteResponse> method,
      int chunkSize,
      CallOptions options)
      throws Exception {
    Reply reply = new Reply();
    FileChannel opened = FileChannel.open(file);
    StreamObserver<BytesMessage<Blob>> ignored =
        ClientCalls.asyncClientStreamingCall(
            channel.newCall(method, options),
            data.sendFile(opened, 0, SIZE).closeFile().chunkSize(chunkSize).upload(reply));
    long size = reply.size();
    assertThat(opened.isOpen()).isFalse();
    return size;
  }

  /** The response to a file. */
  static final class Reply extends CompletableFuture<WriteResponse>
      implements StreamObserver<WriteResponse> {
    @Override
    public void onNext(WriteResponse response) {
      complete(response);
    }

    @Override
    public void onError(Throwable failure) {
      completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {}

    long size() throws Exception {
      return get(2, TimeUnit.MINUTES).getSize();
    }
  }
}
