package dev.ferry.suites.rival.armeria;

import dev.ferry.core.Carrier;
import dev.ferry.core.CarrierContract;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.http.server.HttpFilesServer;
import java.util.List;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The carrier contract for Armeria's HTTP client with the HTTP server. */
@ParameterizedClass
@EnumSource(ArmeriaPeer.class)
class ArmeriaHttpCarrierContractTest extends CarrierContract {
  @Parameter ArmeriaPeer peer = ArmeriaPeer.ARMERIA;

  @Override
  protected Fixture open(FileStore store) throws FerryException {
    HttpFilesServer server = HttpFilesServer.start(store, "localhost", 0, 65536);
    Carrier client = peer.connect(server.port());
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

  /** The digest comes with a request of its own. */
  @Override
  protected boolean verifiesReplacedFiles() {
    return false;
  }

  /** There is no way to say why a body ends early: connection or stream are cut. */
  @Override
  protected List<ErrorKind> fileChangedKinds() {
    return List.of(ErrorKind.FILE_CHANGED, ErrorKind.INCOMPLETE, ErrorKind.UNAVAILABLE);
  }
}
