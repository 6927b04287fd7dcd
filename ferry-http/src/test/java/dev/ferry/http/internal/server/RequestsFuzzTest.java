package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FileStore;
import dev.ferry.core.FuzzTarget;
import dev.ferry.core.Fuzzing;
import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.CallerStores;
import dev.ferry.wire.internal.ConnectionGuard;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.Requests;
import dev.ferry.wire.internal.StreamEnd;
import dev.ferry.wire.internal.Warnings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.DefaultChannelId;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalServerChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * All that a client may send on a connection of HTTP/1.1 or HTTP/2: heads, chunks, trailers, forms,
 * gzip and XML, to the handlers of a server of a folder. The first byte says how large the pieces
 * are in which the rest arrives.
 */
final class RequestsFuzzTest implements FuzzTarget {
  private static final ServerSettings SETTINGS = ServerSettings.defaults();
  private static final AccessRules RULES =
      AccessRules.of(SETTINGS, false, new InetSocketAddress("localhost", 80));

  /** Requests that have begun and ended. */
  private static final class Counted implements RequestListener {
    private int running;

    @Override
    public void began(ServedRequest request) {
      running++;
    }

    @Override
    public void ended(EndedRequest request) {
      running--;
    }
  }

  @Override
  public void parse(byte[] input) throws Exception {
    Path folder = Fuzzing.emptyFolder("requests");
    Path root = Files.createDirectory(folder.resolve("root"));
    Path unused = TestFiles.write(root.resolve("f"), "0123456789".getBytes());
    Files.createDirectory(root.resolve("d"));
    Counted counted = new Counted();
    UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(false);
    try (Warnings warnings = new Warnings()) {
      send(LocalFileStore.open(root), counted, buffers, input);
      assertThat(warnings.heard()).isEmpty();
    }
    assertThat(counted.running).as("requests that have not ended").isZero();
    long used = buffers.metric().usedHeapMemory() + buffers.metric().usedDirectMemory();
    assertThat(used).as("bytes of buffers that were not released").isZero();
    assertThat(TestFiles.tree(folder)).allMatch(name -> name.startsWith("root/"));
    TestFiles.awaitNothingOpen(root);
  }

  private static void send(
      FileStore store, Counted counted, UnpooledByteBufAllocator buffers, byte[] input) {
    CallerStores stores = new CallerStores(store, null, new Refusals(), holder -> Runnable::run);
    PortState state = new PortState(stores, 1024, ImmediateEventExecutor.INSTANCE);
    HttpServer.DateField date = new HttpServer.DateField(InstantSource.system());
    Requests requests = new Requests(counted);
    // Netty tells servers from clients by the class of the parent.
    EmbeddedChannel channel =
        new EmbeddedChannel(new LocalServerChannel(), DefaultChannelId.newInstance(), true, false);
    channel.config().setAllocator(buffers);
    channel
        .pipeline()
        .addLast(
            new ConnectionGuard(SETTINGS, stores.refusals(), StreamEnd.RESET, false).newHandler(),
            new ProtocolChooser(
                SETTINGS,
                stores.refusals(),
                () ->
                    new ConnectionHandler(
                        new FilesHandler(state),
                        RULES,
                        requests,
                        date,
                        new BodyMemory(Long.MAX_VALUE))));
    int piece = input.length == 0 || input[0] == 0 ? 64 * 1024 : input[0] & 0xff;
    for (int at = 1; at < input.length && channel.isActive(); at += piece) {
      int length = Math.min(piece, input.length - at);
      ByteBuf bytes = buffers.buffer(length).writeBytes(input, at, length);
      channel.writeInbound(bytes);
      release(channel);
    }
    channel.finish();
    release(channel);
    channel.checkException();
  }

  /** Takes what the server has sent, as a client does that reads it at once. */
  private static void release(EmbeddedChannel channel) {
    channel.runPendingTasks();
    for (Object sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
      ReferenceCountUtil.release(sent);
      channel.runPendingTasks();
    }
    List<Object> unhandled = new ArrayList<>(channel.inboundMessages());
    assertThat(unhandled).isEmpty();
  }
}
