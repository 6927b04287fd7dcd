package dev.ferry.zerocopy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What the tuning of TLS leans on: how Netty's handler passes several records on. */
class BulkTlsTest {
  private static final int RECORD = 16 * 1024;
  private static final int RECORDS = 5;

  @Test
  void records_ofOneWrite_areOneBufferAtBothEnds() throws Exception {
    assumeThat(OpenSsl.isAvailable()).isTrue();
    X509Bundle certificate = certificate("CN=test");
    SslContext server =
        SslContextBuilder.forServer(certificate.toKeyManagerFactory())
            .sslProvider(SslProvider.OPENSSL)
            .build();
    SslContext client =
        SslContextBuilder.forClient()
            .trustManager(certificate.getCertificate())
            .sslProvider(SslProvider.OPENSSL)
            .build();
    EmbeddedChannel receiver =
        channel(new SslHandler(ZeroCopy.tls(server).newEngine(ByteBufAllocator.DEFAULT)));
    EmbeddedChannel sender =
        channel(
            new SslHandler(
                ZeroCopy.tls(client).newEngine(ByteBufAllocator.DEFAULT, "127.0.0.1", 7070)));
    try {
      shakeHands(sender, receiver);
      byte[] bytes = new byte[RECORDS * RECORD];
      new Random(1).nextBytes(bytes);

      sender.writeOutbound(Unpooled.wrappedBuffer(bytes));

      List<ByteBuf> encrypted = outbound(sender);
      assertThat(encrypted).hasSize(1);
      assertThat(encrypted.get(0).readableBytes()).isGreaterThan(bytes.length);
      receiver.writeInbound(encrypted.get(0));
      ByteBuf decrypted = receiver.readInbound();
      try {
        assertThat(ByteBufUtil.getBytes(decrypted)).isEqualTo(bytes);
      } finally {
        decrypted.release();
      }
    } finally {
      sender.finishAndReleaseAll();
      receiver.finishAndReleaseAll();
    }
  }

  @Test
  void connections_ofASupplier_haveTheNewestCertificate() throws Exception {
    X509Bundle old = certificate("CN=old");
    X509Bundle renewed = certificate("CN=renewed");
    SslContext client =
        SslContextBuilder.forClient()
            .trustManager(old.getCertificate(), renewed.getCertificate())
            .build();
    AtomicReference<SslContext> newest = new AtomicReference<>();
    SslContext server = ZeroCopy.tls(newest::get);
    for (X509Bundle certificate : List.of(old, renewed)) {
      newest.set(SslContextBuilder.forServer(certificate.toKeyManagerFactory()).build());
      SslHandler tls =
          new SslHandler(client.newEngine(ByteBufAllocator.DEFAULT, "127.0.0.1", 7070));
      EmbeddedChannel receiver =
          channel(new SslHandler(server.newEngine(ByteBufAllocator.DEFAULT)));
      EmbeddedChannel sender = channel(tls);
      try {
        shakeHands(sender, receiver);
        assertThat(tls.engine().getSession().getPeerCertificates())
            .containsExactly(certificate.getCertificate());
      } finally {
        sender.finishAndReleaseAll();
        receiver.finishAndReleaseAll();
      }
    }
  }

  private static X509Bundle certificate(String subject) throws Exception {
    return new CertificateBuilder()
        .subject(subject)
        .addSanIpAddress("127.0.0.1")
        .setIsCertificateAuthority(true)
        .buildSelfSigned();
  }

  private static EmbeddedChannel channel(SslHandler handler) {
    handler.setWrapDataSize(Http2Tuner.WHOLE_BUFFERS);
    return new EmbeddedChannel(handler);
  }

  private static void shakeHands(EmbeddedChannel client, EmbeddedChannel server) {
    boolean moved = true;
    while (moved) {
      moved = move(client, server) | move(server, client);
    }
    assertThat(client.pipeline().get(SslHandler.class).handshakeFuture().isSuccess()).isTrue();
    assertThat(server.pipeline().get(SslHandler.class).handshakeFuture().isSuccess()).isTrue();
  }

  private static boolean move(EmbeddedChannel from, EmbeddedChannel to) {
    from.runPendingTasks();
    List<ByteBuf> buffers = outbound(from);
    buffers.forEach(to::writeInbound);
    return !buffers.isEmpty();
  }

  private static List<ByteBuf> outbound(EmbeddedChannel channel) {
    List<ByteBuf> buffers = new ArrayList<>();
    for (ByteBuf b = channel.readOutbound(); b != null; b = channel.readOutbound()) {
      buffers.add(b);
    }
    return buffers;
  }
}
