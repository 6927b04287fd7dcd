package dev.ferry.cli.operate;

import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest;
import dev.ferry.wire.ServedRequest.CarrierName;
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.ServerTls;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.util.internal.PlatformDependent;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The metrics of a server. The names of calls and requests are those of OpenTelemetry; the label
 * {@code result} stands for its {@code error.type}. Thread-safe.
 */
final class ServerMetrics implements RequestListener, AutoCloseable {
  private static final String CARRIER = "carrier";
  private static final String DIRECTION = "direction";
  private static final String RESULT = "result";
  private static final String PORT = "port";

  /** The limits of the buckets of all durations: from small calls to transfers of an hour. */
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2500),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(30),
    Duration.ofMinutes(1),
    Duration.ofMinutes(5),
    Duration.ofMinutes(15),
    Duration.ofHours(1)
  };

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** The registry itself would not keep it. */
  private volatile LongSupplier auditLost = () -> 0;

  private volatile LongSupplier logLost = () -> 0;

  private final MeterProvider<Timer> calls =
      timer("rpc.server.call.duration", "Calls by gRPC and gRPC-Web that have ended.");
  private final MeterProvider<Timer> requests =
      timer("http.server.request.duration", "Requests by HTTP that have ended.");
  private final MeterProvider<Timer> durations =
      timer("ferry.transfer.duration", "Downloads and uploads that have ended.");
  private final MeterProvider<Counter> transfers =
      Counter.builder("ferry.transfers")
          .description("Transfers that have ended.")
          .withRegistry(registry);
  private final MeterProvider<Counter> bytes =
      Counter.builder("ferry.transfer")
          .baseUnit("bytes")
          .description("Bytes of files that have passed, of transfers that have ended.")
          .withRegistry(registry);
  private final Map<CarrierName, AtomicInteger> active = new EnumMap<>(CarrierName.class);

  ServerMetrics() {
    for (CarrierName carrier : CarrierName.values()) {
      AtomicInteger count = new AtomicInteger();
      active.put(carrier, count);
      Gauge.builder("ferry.requests.active", count, AtomicInteger::get)
          .description("Requests that run.")
          .tag(CARRIER, carrier.toString())
          .register(registry);
    }
    Gauge.builder("ferry.direct.memory.used", PlatformDependent::usedDirectMemory)
        .description("Memory of Netty's buffers outside of the heap.")
        .baseUnit("bytes")
        .register(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  private MeterProvider<Timer> timer(String name, String description) {
    return Timer.builder(name)
        .description(description)
        .serviceLevelObjectives(BUCKETS)
        .withRegistry(registry);
  }

  /** Adds the metrics of a port. */
  void add(String name, ServerPort port) {
    Tags tags = Tags.of(PORT, name);
    Gauge.builder("ferry.requests.queued", port, ServerPort::queued)
        .description("Tasks that wait for a thread that reads or writes files.")
        .tags(tags)
        .register(registry);
    for (String reason : port.refusals().keySet()) {
      FunctionCounter.builder("ferry.refused", port, p -> p.refusals().getOrDefault(reason, 0L))
          .description("Connections, requests and messages that were refused.")
          .tags(tags.and("reason", reason))
          .register(registry);
    }
    List<LoopDelay> delays = port.eventLoops().stream().map(LoopDelay::start).toList();
    TimeGauge.builder(
            "ferry.event.loop.delay",
            () -> delays.stream().mapToLong(LoopDelay::nanos).max().orElse(0),
            TimeUnit.NANOSECONDS)
        .description("How long a task waited for its turn, on the slowest event loop.")
        .tags(tags)
        .register(registry);
  }

  /** Adds what belongs to all ports. Call this at most once. */
  void add(
      ServerSettings settings,
      BooleanSupplier draining,
      LongSupplier auditLost,
      LongSupplier logLost) {
    Gauge.builder("ferry.connections.open", settings.connections(), c -> c.open())
        .description("Open connections of all ports.")
        .register(registry);
    Gauge.builder("ferry.draining", () -> draining.getAsBoolean() ? 1 : 0)
        .description("1 while the server refuses new requests because it stops.")
        .register(registry);
    this.auditLost = auditLost;
    FunctionCounter.builder("ferry.audit.lost", this, metrics -> metrics.auditLost.getAsLong())
        .description("Lines that could not be written to the audit log.")
        .register(registry);
    this.logLost = logLost;
    FunctionCounter.builder("ferry.log.lost", this, metrics -> metrics.logLost.getAsLong())
        .description("Lines of the log that nobody took.")
        .register(registry);
    ServerTls tls = settings.tls();
    if (tls != null) {
      TimeGauge.builder(
              "ferry.tls.certificate.expiry.timestamp",
              () -> tls.current().certificates().get(0).getNotAfter().getTime(),
              TimeUnit.MILLISECONDS)
          .description("When the certificate of new connections expires, since 1970.")
          .register(registry);
    }
  }

  @Override
  public void began(ServedRequest request) {
    count(request).incrementAndGet();
  }

  private AtomicInteger count(ServedRequest request) {
    AtomicInteger count = active.get(request.carrier());
    if (count == null) {
      throw new IllegalStateException("no gauge of " + request.carrier());
    }
    return count;
  }

  @Override
  public void ended(EndedRequest ended) {
    ServedRequest request = ended.request();
    count(request).decrementAndGet();
    CarrierName carrier = request.carrier();
    Operation operation = request.operation();
    Tags tags =
        Tags.of(CARRIER, carrier.toString(), "operation", operation.toString())
            .and(RESULT, RequestText.result(ended));
    boolean http = carrier == CarrierName.HTTP_1_1 || carrier == CarrierName.HTTP_2;
    (http ? requests : calls).withTags(tags).record(ended.duration());
    if (operation.isTransfer()) {
      Tags way = Tags.of(CARRIER, carrier.toString(), DIRECTION, operation.toString());
      Tags result = way.and(RESULT, RequestText.result(ended));
      transfers.withTags(result).increment();
      durations.withTags(result).record(ended.duration());
      bytes.withTags(way).increment(ended.bytes());
    }
  }

  /** Returns all metrics in the text format of Prometheus, version 0.0.4. */
  String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    registry.close();
  }
}
