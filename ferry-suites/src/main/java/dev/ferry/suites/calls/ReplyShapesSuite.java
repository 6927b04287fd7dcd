package dev.ferry.suites.calls;

import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RowSpec.Bounds;
import dev.ferry.lab.suite.RowSpec.Needs;
import dev.ferry.lab.suite.RowSpec.Work;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.suites.calls.service.CallClient;
import dev.ferry.suites.calls.service.CallClient.RowVisitor;
import dev.ferry.suites.calls.service.http.OkHttpCallClient;
import dev.ferry.suites.rival.grpcjava.RowsClient;
import dev.ferry.suites.rival.jdk.MappedHttp;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The same rows in every shape a reply can have: a call each, a list, an array, made while they are
 * written, a stream; repeats the reference's comparison of lists and streams. docs/bench/calls.md
 * says what each method is.
 *
 * <p>Run it with {@code ./ferry bench --suite reply-shapes}.
 */
public final class ReplyShapesSuite extends Suite {
  private static final String COUNT = "Count";
  private static final String BASELINE = "ListReplySync";
  private static final String SINGLE = "Single";

  /** A sample of at least this many rows takes some milliseconds. */
  private static final long ROWS_OF_A_SAMPLE = 20_000;

  /** Calls of a sample if each has little to say. */
  private static final int MOST_OPERATIONS = 200;

  /** The expected time of a row in the expensive shapes. It is less than 1 us in the others. */
  private static final Map<String, Integer> MICROS_A_ROW =
      Map.ofEntries(
          Map.entry(SINGLE, 100),
          Map.entry("SingleAsyncTask", 100),
          Map.entry("SingleAsyncValueTask", 100),
          Map.entry("SingleTuned", 60),
          Map.entry("SinglePipelined", 30),
          Map.entry("AsyncEnumerableReplyTuned", 2),
          Map.entry("AsyncEnumerableReply", 15),
          Map.entry("AsyncEnumerableReplyBlocking", 25));

  /** From this many calls on, only one in {@link #FEWER} of the profile's samples is taken. */
  private static final long MANY_CALLS = 10_000;

  private static final int FEWER = 5;

  private final TableMethods<Shape> shapes = new TableMethods<>();

  private record Shape(CallServers server, IntFunction<Invoker<Long, RowVisitor>> client) {}

  /** Reads with one of a client's methods. */
  @FunctionalInterface
  private interface Reading<C> {
    void read(C client, long count, RowVisitor visitor) throws IOException;
  }

  /** For {@link java.util.ServiceLoader}. */
  public ReplyShapesSuite() {
    super("reply-shapes", "the same rows one by one, as a list and as a stream");
    stock(SINGLE, RowsClient::single);
    stock("SingleAsyncTask", RowsClient::singleByFuture);
    stock("SingleAsyncValueTask", RowsClient::singleByCallback);
    stock("EnumerableReply", RowsClient::enumerable);
    stock("AsyncEnumerableReply", RowsClient::stream);
    stock(BASELINE, RowsClient::list);
    stock("ListReplyAsync", RowsClient::listByFuture);
    stock("ListReplyValueTaskAsync", RowsClient::listByCallback);
    stock("ArrayReplyAsync", RowsClient::arrayByFuture);
    stock("ArrayReplyValueTaskAsync", RowsClient::arrayByCallback);
    stock("AsyncEnumerableReplyBlocking", RowsClient::streamByIterator);
    tuned("SingleTuned", RowsClient::single);
    tuned("SinglePipelined", RowsClient::pipelined);
    tuned("ListReplyTuned", RowsClient::list);
    tuned("AsyncEnumerableReplyTuned", RowsClient::streamAhead);
    tuned("BatchedStream", RowsClient::batches);
    mapped("HttpJsonArray", MappedHttp::rows);
    mapped("HttpJsonLines", MappedHttp::rowLines);
    http("HttpJsonArrayTuned", ReplyShapesSuite::list);
    http("HttpJsonLinesTuned", CallClient::eachRow);
  }

  private void stock(String method, Reading<RowsClient> reading) {
    add(
        method,
        CallServers.STOCK,
        port -> RowsClient.connect(CallServers.HOST, port),
        RowsClient::close,
        reading);
  }

  private void tuned(String method, Reading<RowsClient> reading) {
    add(
        method,
        CallServers.GRPC,
        port -> RowsClient.connectTuned(CallServers.HOST, port),
        RowsClient::close,
        reading);
  }

  private void mapped(String method, Reading<MappedHttp> reading) {
    add(
        method,
        CallServers.HTTP,
        port ->
            new MappedHttp(
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(),
                "http://" + CallServers.HOST + ":" + port,
                () -> {}),
        // On JDK 17 a client has nothing to close.
        http -> {},
        reading);
  }

  private void http(String method, Reading<CallClient> reading) {
    add(
        method,
        CallServers.HTTP,
        port -> OkHttpCallClient.connect(CallServers.HOST, port, HttpProtocol.HTTP_1_1),
        CallClient::close,
        reading);
  }

  private <C> void add(
      String method,
      CallServers server,
      IntFunction<? extends C> connector,
      Consumer<C> closer,
      Reading<C> reading) {
    shapes.add(
        method,
        new Shape(
            server,
            port -> {
              C client = connector.apply(port);
              Invoker<Long, RowVisitor> reader =
                  (count, visitor) -> reading.read(client, count, visitor);
              return reader.closing(() -> closer.accept(client));
            }));
  }

  private static void list(CallClient client, long count, RowVisitor visitor) throws IOException {
    client.rows(count).forEach(row -> visitor.row(row.number(), row.name()));
  }

  @Override
  public List<Table> tables() {
    return List.of(table("small", "1", "10"), table("large", "1", "10000", "100000"));
  }

  private Table table(String name, String... counts) {
    List<String> methods = shapes.names();
    return new Table(name, List.of(new Parameter(COUNT, List.of(counts))), methods, BASELINE)
        .inMicros()
        .sortedByTime();
  }

  @Override
  public RowSpec row(RowKey key) {
    Shape shape = shapes.of(key);
    int count = key.intParameter(COUNT);
    // How many calls an operation is.
    long calls = key.method().startsWith(SINGLE) ? count : 1;
    long perSample =
        calls > 1 ? MOST_OPERATIONS / Math.min(calls, MOST_OPERATIONS) : ROWS_OF_A_SAMPLE / count;
    long micros = (long) MICROS_A_ROW.getOrDefault(key.method(), 0) * count;
    String protocol = shape.server().protocol(false);
    Work work =
        Work.of(
            Load.calls((int) Math.max(1, Math.min(MOST_OPERATIONS, perSample)), 1),
            // The rows of a sample are read once more, to be checked.
            Duration.ofNanos(1_000_000 + 2 * 1_000 * micros));
    return new RowSpec(
        key,
        RowSpec.Promise.identity(protocol, 1),
        calls < MANY_CALLS
            ? work
            : work.with(profile -> profile.share(FEWER).withWarmupOperations(1)),
        Needs.NONE,
        calls == 1 && count == 1 ? Bounds.of(List.of(CeilingName.PING_PONG)) : Bounds.NONE,
        workplace -> shape.server().start(null),
        (workplace, port) -> new RowsTask(shape.client().apply(port), count, protocol));
  }
}
