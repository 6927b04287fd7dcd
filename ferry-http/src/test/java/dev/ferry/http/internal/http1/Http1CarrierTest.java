package dev.ferry.http.internal.http1;

import dev.ferry.core.Carrier;
import dev.ferry.core.CarrierContract;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.Round;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.TestCertificates;
import java.util.List;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.http.internal.http1.Http1Peer#rounds")
final class Http1CarrierTest extends CarrierContract {
  @Parameter
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  private Round<Http1Peer> round;

  @SuppressWarnings("NullAway.Init") // Chosen before each test.
  private Http1Peer peer;

  /** More than the pipeline sends ahead. */
  @Override
  protected int batchFiles() {
    return 300;
  }

  @Override
  protected Object configure(TestInfo test) {
    peer = round.configuration(test);
    return peer;
  }

  @Override
  protected Fixture open(FileStore store) throws FerryException {
    ServerSettings settings = ServerSettings.defaults();
    HttpFilesServer server =
        HttpFilesServer.start(
            store,
            "localhost",
            0,
            65536,
            peer.tls()
                ? settings.withTls(TestCertificates.server(TestCertificates.loopback()))
                : settings);
    Carrier client = peer.connector().apply(server.port());
    return new Fixture() {
      @Override
      public Carrier carrier() {
        return client;
      }

      @Override
      public void killServer() {
        server.closeNow();
      }

      @Override
      public void close() {
        client.close();
        server.close();
      }
    };
  }

  /**
   * The digest comes with a request of its own, unless the client knows trailers and the bytes pass
   * through the server's memory.
   */
  @Override
  protected boolean verifiesReplacedFiles(boolean gzip) {
    return gzip || peer.tls();
  }

  /** There is no way to say why a body ends early: connection or stream are cut. */
  @Override
  protected List<ErrorKind> fileChangedKinds() {
    return List.of(ErrorKind.FILE_CHANGED, ErrorKind.INCOMPLETE, ErrorKind.UNAVAILABLE);
  }
}
