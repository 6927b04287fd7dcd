package dev.ferry.suites.own;

import com.google.protobuf.UnsafeByteOperations;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The service with generated messages and all that grpc-java, protobuf and Netty have to make it
 * fast. Each setting and its reason:
 *
 * <ul>
 *   <li>calls on the event loops: no change of threads for each message
 *   <li>one array for a call, which is wrapped as the bytes of each message: grpc-java has copied a
 *       message when {@code onNext} returns, unless a call may be retried
 *   <li>windows of 16 MiB, and 384 KiB that wait in a stream before it is not ready: a sender stops
 *       less often
 *   <li>32 messages requested ahead: fewer wake-ups
 *   <li>reads of up to 512 KiB, and high water marks: fewer system calls
 *   <li>writes of 256 KiB to the file, of all messages that were received: fewer system calls
 * </ul>
 *
 * <p>grpc-java has no setting for the size of frames, which stays at 16 KiB.
 */
public final class TunedBlobs {
  /** Queued bytes above which a stream is not ready. */
  static final int ON_READY_THRESHOLD = 384 * 1024;

  /** Messages requested ahead. */
  static final int AHEAD = 32;

  private static final int WINDOW = 16 * 1024 * 1024;
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(1024 * 1024, 4 * 1024 * 1024);

  private final Path folder;
  private final @Nullable AliasingMarshaller aliasing;

  private TunedBlobs(Path folder, @Nullable AliasingMarshaller aliasing) {
    this.folder = folder;
    this.aliasing = aliasing;
  }

  /**
   * Sets up a server of a folder.
   *
   * @param aliasing reads messages; null for the generated code
   */
  static NettyServerBuilder serve(
      NettyServerBuilder builder, Path folder, @Nullable AliasingMarshaller aliasing) {
    return builder
        .directExecutor()
        .flowControlWindow(WINDOW)
        .withChildOption(ChannelOption.RECVBUF_ALLOCATOR, receiveBuffers())
        .withChildOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
        .addService(new TunedBlobs(folder, aliasing).bind());
  }

  /** Sets up a channel. The observers of its calls run on its event loops. */
  public static NettyChannelBuilder connect(NettyChannelBuilder builder) {
    return builder
        .disableRetry()
        .directExecutor()
        .flowControlWindow(WINDOW)
        .withOption(ChannelOption.RECVBUF_ALLOCATOR, receiveBuffers())
        .withOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK);
  }

  private static RecvByteBufAllocator receiveBuffers() {
    return new AdaptiveRecvByteBufAllocator(16 * 1024, 256 * 1024, 512 * 1024);
  }

  private ServerServiceDefinition bind() {
    MethodDescriptor<Blob, WriteResponse> write = BlobStoreGrpc.getWriteMethod();
    return ServerServiceDefinition.builder(BlobStoreGrpc.SERVICE_NAME)
        .addMethod(BlobStoreGrpc.getReadMethod(), ServerCalls.asyncServerStreamingCall(this::read))
        .addMethod(
            aliasing == null
                ? write
                : write.toBuilder(aliasing, write.getResponseMarshaller()).build(),
            ServerCalls.asyncClientStreamingCall(this::write))
        .build();
  }

  private void read(ReadRequest request, StreamObserver<Blob> responses) {
    var call = (ServerCallStreamObserver<Blob>) responses;
    call.setOnReadyThreshold(ON_READY_THRESHOLD);
    try {
      Path file = Blobs.resolve(folder, request.getName());
      Blob first = Blobs.first(request.getName(), file);
      BlobSender sender =
          BlobSender.start(
              call,
              first,
              FileChannel.open(file),
              request.getChunkSize(),
              UnsafeByteOperations::unsafeWrap);
      call.setOnCancelHandler(sender::close);
    } catch (IOException e) {
      call.onError(Blobs.status(e));
    }
  }

  private StreamObserver<Blob> write(StreamObserver<WriteResponse> responses) {
    return WriteObserver.ahead(receiver(name -> Blobs.resolve(folder, name), aliasing), responses);
  }

  static BlobReceiver<Blob> receiver(
      Function<String, Path> target, @Nullable AliasingMarshaller aliasing) {
    return new BlobReceiver<>(
        target,
        message -> message,
        new GatheredBytes<>(Blob::getData, aliasing == null ? message -> {} : aliasing::release));
  }
}
