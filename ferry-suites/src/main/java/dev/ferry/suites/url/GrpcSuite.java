package dev.ferry.suites.url;

import com.google.protobuf.Descriptors.FieldDescriptor;
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
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A method of a gRPC server that is already there: a unary one by grpc-java at its defaults and
 * with the settings for small calls, and one that streams bytes by grpc-java at its defaults, with
 * all that it has for that, and with {@code ferry-zerocopy}. The method is a parameter of the rows,
 * as the address of {@link UrlSuite} is.
 */
public final class GrpcSuite extends Suite {
  private static final String METHOD = "Call";
  private static final String FIELD = "Field";

  /** How many responses came in the call before the run, and have to come in each. */
  private static final String MESSAGES = "Messages";

  private static final String CALL = "call";
  private static final String STREAM = "stream";

  static final String DEFAULT = "GrpcDefault";
  static final String TUNED = "GrpcTuned";
  static final String ZERO_COPY = "ZeroCopy";

  /** The system property of a fork with the folder of the call. */
  private static final String FOLDER = "ferry.url.call";

  /** Calls of a sample, if the server may be loaded. */
  private static final int CALLS = 200;

  private static final Duration EXPECTED = Duration.ofMillis(1);

  private final List<Table> tables;
  private final long bytesPerSecond;
  private final @Nullable Path folder;

  /** Creates the suite of forks, which has no tables: forks only run rows. */
  public GrpcSuite() {
    this(List.of(), 0, null);
  }

  private GrpcSuite(List<Table> tables, long bytesPerSecond, @Nullable Path folder) {
    super("grpc", "a call, or a stream of bytes, of a server that is already there, by grpc-java");
    this.tables = tables;
    this.bytesPerSecond = bytesPerSecond;
    this.folder = folder;
  }

  /**
   * Creates the suite of a method.
   *
   * @param messages the responses of the method, if it streams
   * @param bytesPerSecond the mean rate that rows keep to by pauses between calls; 0 for no limit
   * @param folder where the call is saved, from which forks read it
   */
  public GrpcSuite(GrpcCall call, long messages, long bytesPerSecond, Path folder) {
    this(List.of(table(call, messages)), bytesPerSecond, folder);
  }

  private static Table table(GrpcCall call, long messages) {
    Parameter address = new Parameter(METHOD, List.of(call.address().toString()));
    FieldDescriptor field = call.field();
    return field == null
        ? new Table(CALL, List.of(address), List.of(DEFAULT, TUNED), DEFAULT).inMicros()
        : new Table(
            STREAM,
            List.of(
                address,
                new Parameter(FIELD, List.of(field.getName())),
                new Parameter(MESSAGES, List.of(Long.toString(messages)))),
            List.of(DEFAULT, TUNED, ZERO_COPY),
            DEFAULT);
  }

  @Override
  public List<Table> tables() {
    return tables;
  }

  @Override
  public RowSpec row(RowKey key) {
    List<String> flags = new ArrayList<>(ForeignRate.flags(bytesPerSecond));
    if (folder != null) {
      flags.add("-D" + FOLDER + "=" + folder.toAbsolutePath());
    }
    boolean streams = key.table().equals(STREAM);
    Work work =
        streams ? Work.FILE : Work.of(Load.calls(bytesPerSecond == 0 ? CALLS : 1, 1), EXPECTED);
    return new RowSpec(
        key,
        RowSpec.Promise.identity(GrpcOperation.PROTOCOL, 1),
        work.with(profile -> ForeignRate.settings(bytesPerSecond, profile)),
        Needs.of(flags, Optional::empty),
        Bounds.NONE,
        workplace -> RowServer.of(0, () -> {}),
        (workplace, port) -> streams ? receive(key, workplace) : call(key));
  }

  private static Operation call(RowKey row) throws IOException {
    GrpcCall call = load(row);
    return new GrpcOperation(
        row.method().equals(TUNED)
            ? GrpcClient.connectTuned(call.address())
            : GrpcClient.connect(call.address()),
        call.request().toByteArray());
  }

  private static Operation receive(RowKey row, Workplace workplace) throws IOException {
    GrpcCall call = load(row);
    long messages = Long.parseLong(String.valueOf(row.parameters().get(MESSAGES)));
    return new DownloadOperation(
        call.address().toString(),
        GrpcStreamClient.connect(row.method(), call, messages),
        workplace);
  }

  private static GrpcCall load(RowKey row) throws IOException {
    try {
      return GrpcCall.load(
          Path.of(System.getProperty(FOLDER, "")),
          GrpcAddress.parse(String.valueOf(row.parameters().get(METHOD))),
          row.parameters().get(FIELD));
    } catch (LabException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
