package dev.ferry.web;

import dev.ferry.core.Carrier;
import dev.ferry.core.CarrierContract;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.http.ApacheHttpCarrier;
import dev.ferry.http.JdkHttpCarrier;
import java.util.List;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The carrier contract for HTTP clients with the web port's routes. */
@ParameterizedClass(name = "{0} client")
@ValueSource(strings = {"jdk", "apache", "armeria", "armeria-h2c"})
class HttpOverWebPortTest extends CarrierContract {
  @Parameter String client = "jdk";

  @Override
  protected Fixture open(FileStore store) throws FerryException {
    return new Pair(store, this::connect);
  }

  private Carrier connect(int port) {
    return switch (client) {
      case "jdk" -> JdkHttpCarrier.connect("127.0.0.1", port);
      case "apache" -> ApacheHttpCarrier.connect("127.0.0.1", port);
      case "armeria" -> ArmeriaPeer.ARMERIA_TUNED.connect(port);
      default -> ArmeriaPeer.ARMERIA_H2C_TUNED.connect(port);
    };
  }

  /** The digest comes with a request of its own. */
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
