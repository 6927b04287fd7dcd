package dev.ferry.http;

import dev.ferry.core.Carrier;
import dev.ferry.core.CarrierContract;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** The carrier contract for java.net.http with Ferry's HTTP server. */
@ExtendWith(LeakGuard.class)
class JdkHttpContractTest extends CarrierContract {
  @Override
  protected Fixture open(FileStore store) throws FerryException {
    HttpFilesServer server = HttpFilesServer.start(store, "127.0.0.1", 0, 65536);
    Carrier client = connect(server.port());
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

  /** The client under test. */
  protected Carrier connect(int port) {
    return JdkHttpCarrier.connect("127.0.0.1", port);
  }

  /** The digest comes with a request of its own, and java.net.http knows no trailers. */
  @Override
  protected boolean verifiesReplacedFiles() {
    return false;
  }

  /** HTTP/1.1 has no way to say why a body ends early: the connection is cut. */
  @Override
  protected List<ErrorKind> fileChangedKinds() {
    return List.of(ErrorKind.FILE_CHANGED, ErrorKind.INCOMPLETE, ErrorKind.UNAVAILABLE);
  }
}
