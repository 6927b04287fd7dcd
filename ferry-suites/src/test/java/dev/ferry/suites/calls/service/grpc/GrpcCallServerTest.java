package dev.ferry.suites.calls.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Round;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.CallClient;
import dev.ferry.suites.calls.service.CallContract;
import dev.ferry.suites.calls.service.ConcurrencyLimiter;
import dev.ferry.suites.calls.service.DataRow;
import dev.ferry.suites.calls.service.DataRows;
import dev.ferry.suites.calls.v1.LogRecord;
import dev.ferry.suites.calls.v1.LogsGrpc;
import dev.ferry.suites.calls.v1.RowRequest;
import dev.ferry.suites.calls.v1.RowsGrpc;
import dev.ferry.wire.ServerTls;
import dev.ferry.wire.TlsProvider;
import dev.ferry.wire.internal.contract.Limits;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContext;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The call contract for the tuned gRPC server, by generated code on a tuned channel. */
final class GrpcCallServerTest extends CallContract {
  private static final DataRows ROWS = new DataRows(Backend.SEED);

  private static GrpcCallClient connect(GrpcCallServer server) {
    return new GrpcCallClient(
        TunedChannel.tune(NettyChannelBuilder.forAddress("127.0.0.1", server.port()))
            .usePlaintext()
            .build());
  }

  private static GrpcCallServer start() throws FerryException {
    return GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
  }

  @Override
  protected Fixture open(Backend backend, ConcurrencyLimiter room) throws Exception {
    GrpcCallServer server = GrpcCallServer.start(backend, "127.0.0.1", 0, null, room);
    CallClient client = connect(server);
    return new Fixture() {
      @Override
      public CallClient client() {
        return client;
      }

      @Override
      public SlowReader readSlowly(int rows) {
        return new SlowGrpcReader(server.port(), rows);
      }

      @Override
      public void killServer() {
        server.closeNow();
      }

      @Override
      public void close() {
        client.close();
        server.closeNow();
      }
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 999_999_999})
  void row_ofAPlace_isThatRow(long place) throws Exception {
    try (GrpcCallServer server = start();
        GrpcCallClient client = connect(server)) {
      assertThat(client.row(place)).isEqualTo(ROWS.at(place));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1_000_000_000, 1L << 31, Long.MIN_VALUE, Long.MAX_VALUE})
  void row_thatDoesNotExist_isRefused(long place) throws Exception {
    try (GrpcCallServer server = start();
        GrpcCallClient client = connect(server)) {
      assertThatThrownBy(() -> client.row(place))
          .isInstanceOfSatisfying(
              FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_REQUEST))
          .hasMessageContaining("from 0 to");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5_000})
  void rows_inEveryShape_areTheSame(int count) throws Exception {
    try (GrpcCallServer server = start();
        GrpcCallClient client = connect(server)) {
      assertSameInEveryShape(client, count);
    }
  }

  private static void assertSameInEveryShape(GrpcCallClient client, int count) throws Exception {
    List<DataRow> alone = new ArrayList<>();
    client.eachRowAlone(count, (number, name) -> alone.add(new DataRow(number, name)));
    assertThat(alone).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(alone.get(i)).isEqualTo(ROWS.at(i));
    }
    assertThat(client.rows(count)).isEqualTo(alone);
    assertThat(client.enumerable(count)).isEqualTo(alone);
  }

  @Test
  @Timeout(300)
  void enumerable_readLate_holdsRoomUntilItsEnd() throws Exception {
    ConcurrencyLimiter room = new ConcurrencyLimiter(1_000, 64 << 20);
    try (GrpcCallServer server =
        GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null, room)) {
      SlowGrpcReader reader =
          new SlowGrpcReader(
              server.port(), Backend.MAX_ROWS_IN_LIST, RowsGrpc.getEnumerableMethod());
      reader.awaitHead();
      assertThat(room.bytes()).isGreaterThan(3_500_000);
      assertThat(reader.readOn()).isEqualTo(Backend.MAX_ROWS_IN_LIST);
      // The call ends at the server a moment later than at the client.
      while (room.bytes() > 0) {
        Thread.sleep(10);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 6, -1})
  void log_levelThatIsNone_isRefused(int level) throws Exception {
    try (GrpcCallServer server = start()) {
      ManagedChannel channel = stock(server);
      try {
        LogRecord record =
            LogRecord.newBuilder().setMessage("m").setCategory("c").setLevelValue(level).build();
        assertThatThrownBy(() -> LogsGrpc.newBlockingStub(channel).write(record))
            .isInstanceOf(StatusRuntimeException.class)
            .hasMessage("INVALID_ARGUMENT: the log record's level " + level + " is none");
      } finally {
        channel.shutdownNow();
      }
    }
  }

  @Test
  void callsWithoutTheirEnd_takeNoRoom() throws Exception {
    try (GrpcCallServer server = start();
        GrpcCallClient client = connect(server)) {
      List<ManagedChannel> channels = new ArrayList<>();
      try {
        for (int i = 0; i < ConcurrencyLimiter.CALLS / Limits.MAX_CALLS_PER_CONNECTION; i++) {
          ManagedChannel channel = stock(server);
          channels.add(channel);
          for (int j = 0; j < Limits.MAX_CALLS_PER_CONNECTION; j++) {
            ClientCall<RowRequest, dev.ferry.suites.calls.v1.Row> call =
                channel.newCall(RowsGrpc.getSingleMethod(), CallOptions.DEFAULT);
            call.start(new ClientCall.Listener<>() {}, new Metadata());
            call.request(1);
          }
        }
        for (int i = 0; i < 100; i++) {
          assertThat(client.row(1)).isEqualTo(ROWS.at(1));
        }
      } finally {
        channels.forEach(ManagedChannel::shutdownNow);
      }
    }
  }

  private static ManagedChannel stock(GrpcCallServer server) {
    return NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
  }

  @Test
  void tls_servesEveryShape() throws Exception {
    X509Bundle certificate =
        new CertificateBuilder()
            .subject("CN=localhost")
            .addSanDnsName("localhost")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    ServerTls serverTls =
        new ServerTls(
            certificate.getKeyPair().getPrivate(),
            certificate.getCertificatePathList(),
            TlsProvider.fastest());
    SslContext clientTls =
        GrpcSslContexts.forClient().trustManager(certificate.getCertificate()).build();
    try (GrpcCallServer server =
            GrpcCallServer.start(Backend.inMemory(), "localhost", 0, serverTls);
        GrpcCallClient client =
            new GrpcCallClient(
                TunedChannel.tune(NettyChannelBuilder.forAddress("localhost", server.port()))
                    .sslContext(clientTls)
                    .build())) {
      assertSameInEveryShape(client, Round.times(500, 5_000));
    }
  }
}
