package dev.ferry.suites.url;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RowSpec.Bounds;
import dev.ferry.lab.suite.RowSpec.Needs;
import dev.ferry.lab.suite.RowSpec.Work;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A unary call to a gRPC server that is already there, by grpc-java at its defaults and with the
 * settings for small calls. The method is a parameter of the rows, as the address of {@link
 * UrlSuite} is.
 */
public final class GrpcSuite extends Suite {
  private static final String METHOD = "Call";
  private static final String DEFAULT = "GrpcDefault";
  private static final String TUNED = "GrpcTuned";

  /** The system property of a fork with the file of the request. */
  private static final String REQUEST = "ferry.url.request";

  /** Calls of a sample, if the server may be loaded. */
  private static final int CALLS = 200;

  private static final Duration EXPECTED = Duration.ofMillis(1);

  private final List<Table> tables;
  private final long bytesPerSecond;
  private final @Nullable Path request;

  /** Creates the suite of forks, which has no tables: forks only run rows. */
  public GrpcSuite() {
    this(List.of(), 0, null);
  }

  private GrpcSuite(List<Table> tables, long bytesPerSecond, @Nullable Path request) {
    super("grpc", "one unary call to a server that is already there, by grpc-java");
    this.tables = tables;
    this.bytesPerSecond = bytesPerSecond;
    this.request = request;
  }

  /**
   * Creates the suite of a method.
   *
   * @param bytesPerSecond the mean rate that rows keep to by pauses between calls; 0 for no limit
   * @param request a file with the request, from which forks read it
   */
  public GrpcSuite(GrpcAddress address, long bytesPerSecond, Path request) {
    this(
        List.of(
            new Table(
                    "call",
                    List.of(new Parameter(METHOD, List.of(address.toString()))),
                    List.of(DEFAULT, TUNED),
                    DEFAULT)
                .inMicros()),
        bytesPerSecond,
        request);
  }

  @Override
  public List<Table> tables() {
    return tables;
  }

  @Override
  public RowSpec row(RowKey key) {
    List<String> flags = new ArrayList<>(ForeignRate.flags(bytesPerSecond));
    if (request != null) {
      flags.add("-D" + REQUEST + "=" + request.toAbsolutePath());
    }
    return new RowSpec(
        key,
        RowSpec.Promise.identity(GrpcOperation.PROTOCOL, 1),
        Work.of(Load.calls(bytesPerSecond == 0 ? CALLS : 1, 1), EXPECTED)
            .with(profile -> ForeignRate.settings(bytesPerSecond, profile)),
        Needs.of(flags, Optional::empty),
        Bounds.NONE,
        workplace -> RowServer.of(0, () -> {}),
        (workplace, port) -> connect(key));
  }

  private static Operation connect(RowKey row) throws IOException {
    GrpcAddress address;
    try {
      address = GrpcAddress.parse(String.valueOf(row.parameters().get(METHOD)));
    } catch (LabException e) {
      throw new IOException(e.getMessage(), e);
    }
    byte[] message = Files.readAllBytes(Path.of(System.getProperty(REQUEST, "")));
    return new GrpcOperation(
        row.method().equals(TUNED) ? GrpcClient.connectTuned(address) : GrpcClient.connect(address),
        message);
  }
}
