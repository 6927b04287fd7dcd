package dev.ferry.zerocopy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.ferry.zerocopy.BlobCalls.Reply;
import example.blobs.Blob;
import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of calls that end before anything of them was sent give their buffers back. */
class UnsentMessagesTest {
  @TempDir Path folder;
  private BlobCalls calls;
  private final AtomicInteger released = new AtomicInteger();

  @BeforeEach
  void makeFile() throws IOException {
    calls = new BlobCalls(folder);
  }

  @AfterEach
  void countBuffers() throws InterruptedException {
    BlobCalls.assertReleased(calls.pool);
    assertThat(released).hasValue(1);
  }

  private ManagedChannel channel(NettyChannelBuilder builder) {
    return ZeroCopy.client(builder, calls.pool).usePlaintext().build();
  }

  /** Sends messages of each kind of bytes, ends the call, and waits for its failure. */
  private void fail(ManagedChannel channel, CallOptions options, boolean cancels) throws Exception {
    try {
      Reply reply = new Reply();
      var requests =
          (ClientCallStreamObserver<BytesMessage<Blob>>)
              ClientCalls.asyncClientStreamingCall(channel.newCall(calls.write, options), reply);
      Blob rest = Blob.newBuilder().setEtag("tag").build();
      requests.onNext(calls.data.message(rest, calls.pool.directBuffer().writeZero(100_000)));
      requests.onNext(calls.data.message(rest, new byte[100_000]));
      requests.onNext(received(rest));
      requests.onNext(
          calls.data.message(rest, released::incrementAndGet, ByteBuffer.allocateDirect(100_000)));
      requests.onNext(
          calls.data.message(rest.toBuilder().setData(ByteString.copyFromUtf8("plain")).build()));
      if (cancels) {
        requests.cancel("the user is gone", null);
      }
      assertThat(reply).failsWithin(1, TimeUnit.MINUTES);
    } finally {
      channel.shutdownNow();
      assertThat(channel.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  /** A message as a server gets it, that a proxy sends on. */
  private BytesMessage<Blob> received(Blob rest) throws IOException {
    Blob sent = rest.toBuilder().setData(ByteString.copyFrom(new byte[100_000])).build();
    return calls.data.decode(calls.pool.directBuffer().writeBytes(sent.toByteArray()));
  }

  /** Nobody can listen on a port that a socket is bound to. */
  private void failUnconnected(CallOptions options) throws Exception {
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      fail(channel(BlobCalls.connect(bound.getLocalPort())), options, false);
    }
  }

  @Test
  void call_withoutAServer_releases() throws Exception {
    failUnconnected(CallOptions.DEFAULT);
  }

  @Test
  void call_whoseDeadlineHasPassed_releases() throws Exception {
    CallOptions late = CallOptions.DEFAULT.withDeadlineAfter(-1, TimeUnit.SECONDS);
    failUnconnected(late);
  }

  @Test
  void call_withoutCredentials_releases() throws Exception {
    CallCredentials none =
        new CallCredentials() {
          @Override
          public void applyRequestMetadata(
              RequestInfo request, Executor executor, MetadataApplier applier) {
            applier.fail(Status.UNAUTHENTICATED);
          }
        };
    BlobServer blobs = new BlobServer(folder);
    BlobCalls.between(
        ZeroCopy.server(BlobCalls.listen(), blobs.pool).addService(blobs.converted()).build(),
        port -> channel(BlobCalls.connect(port)),
        channel -> fail(channel, CallOptions.DEFAULT.withCallCredentials(none), false));
    BlobCalls.assertReleased(blobs.pool);
  }

  @Test
  void call_cancelledBeforeItHasAConnection_releases() throws Exception {
    // It accepts no connection, and the kernel does.
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      fail(channel(BlobCalls.connect(socket.getLocalPort())), CallOptions.DEFAULT, true);
    }
  }

  @Test
  void call_cancelledBeforeItHasAnAddress_releases() throws Exception {
    NameResolverProvider provider = new SilentResolver();
    NameResolverRegistry.getDefaultRegistry().register(provider);
    try {
      fail(channel(NettyChannelBuilder.forTarget("silent:///name")), CallOptions.DEFAULT, true);
    } finally {
      NameResolverRegistry.getDefaultRegistry().deregister(provider);
    }
  }

  /** Finds no address, and never says so. */
  private static final class SilentResolver extends NameResolverProvider {
    @Override
    protected boolean isAvailable() {
      return true;
    }

    @Override
    protected int priority() {
      return 1;
    }

    @Override
    public String getDefaultScheme() {
      return "silent";
    }

    @Override
    public NameResolver newNameResolver(URI target, NameResolver.Args settings) {
      return new NameResolver() {
        @Override
        public String getServiceAuthority() {
          return "name";
        }

        @Override
        public void shutdown() {}
      };
    }
  }
}
