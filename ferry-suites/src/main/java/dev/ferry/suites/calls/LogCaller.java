package dev.ferry.suites.calls;

import dev.ferry.suites.calls.service.CallClient;
import dev.ferry.suites.calls.service.LogRecord;
import dev.ferry.suites.calls.service.grpc.CallMessages;
import dev.ferry.suites.calls.v1.LogReceipt;
import dev.ferry.suites.calls.v1.LogsGrpc;
import dev.ferry.suites.rival.grpcjava.UnaryObserver;
import dev.ferry.suites.rival.jdk.MappedHttp;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Writes log records through a client that it keeps. Thread-safe.
 *
 * @param writer writes a record and returns its number
 * @param asyncWriter does so without waiting
 * @param reader reads a record by its number
 * @param closer closes the client
 */
record LogCaller(
    Exchange<LogRecord, Long> writer,
    Function<LogRecord, CompletableFuture<Long>> asyncWriter,
    Exchange<Long, LogRecord> reader,
    Runnable closer)
    implements AutoCloseable {
  /** A request and its response. */
  @FunctionalInterface
  interface Exchange<Q, R> {
    R call(Q request) throws IOException;
  }

  @Override
  public void close() {
    closer.run();
  }

  /** Over one of Ferry's clients, which is closed with it. */
  static LogCaller of(CallClient client) {
    return new LogCaller(client::log, client::logAsync, client::logRecord, client::close);
  }

  /** Over java.net.http with Jackson's mapper, as most write it. */
  static LogCaller mapped(Clients clients, HttpClient.Version version) throws IOException {
    MappedHttp http = clients.mapped(clients.jdk(version, null));
    if (version == HttpClient.Version.HTTP_2) {
      // It speaks HTTP/2 in plain text only by an upgrade, which servers grant only to requests
      // without a body.
      int unused = http.items(1).size();
    }
    // JDK 17's client ends when it is no longer referenced.
    return new LogCaller(http::log, http::logAsync, http::logRecord, () -> {});
  }

  /** Over grpc-java as its documentation has it; closes the channel. */
  static LogCaller over(ManagedChannel channel) {
    LogsGrpc.LogsFutureStub future = LogsGrpc.newFutureStub(channel);
    LogsGrpc.LogsStub callback = LogsGrpc.newStub(channel);
    return new LogCaller(
        record -> Clients.await(future.write(CallMessages.of(record))).getNumber(),
        record -> {
          UnaryObserver<LogReceipt> receipt = new UnaryObserver<>();
          callback.write(CallMessages.of(record), receipt);
          return receipt.response().thenApply(LogReceipt::getNumber);
        },
        number -> CallMessages.of(Clients.await(future.read(CallMessages.receipt(number)))),
        channel::shutdownNow);
  }
}
