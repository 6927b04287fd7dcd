package dev.ferry.suites.calls;

import dev.ferry.calls.CallClient;
import dev.ferry.calls.LogRecord;
import dev.ferry.contract.v1.LogReceipt;
import dev.ferry.contract.v1.LogsGrpc;
import dev.ferry.suites.rival.grpcjava.LogMessages;
import dev.ferry.suites.rival.jdk.MappedHttp;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.concurrent.CompletableFuture;

/** Writes log records through a client that it keeps. Thread-safe. */
interface LogCaller extends AutoCloseable {
  /** Writes a record, and gives its number. */
  long write(LogRecord record) throws IOException;

  /** The same without waiting. */
  CompletableFuture<Long> writeLater(LogRecord record);

  /** A record, by the number that writing it gave. */
  LogRecord read(long number) throws IOException;

  @Override
  void close();

  /** Over one of Ferry's clients, which is closed with it. */
  static LogCaller of(CallClient client) {
    return new LogCaller() {
      @Override
      public long write(LogRecord record) throws IOException {
        return client.log(record);
      }

      @Override
      public CompletableFuture<Long> writeLater(LogRecord record) {
        return client.logLater(record);
      }

      @Override
      public LogRecord read(long number) throws IOException {
        return client.logRecord(number);
      }

      @Override
      public void close() {
        client.close();
      }
    };
  }

  /** Over java.net.http with Jackson's mapper, as most write it. */
  static LogCaller mapped(Clients clients, HttpClient.Version version) throws IOException {
    MappedHttp http = clients.mapped(clients.jdk(version, null));
    if (version == HttpClient.Version.HTTP_2) {
      // It speaks HTTP/2 in plain text only by an upgrade, which servers grant requests alone that
      // have no body.
      int unused = http.items(1).size();
    }
    return new LogCaller() {
      @Override
      public long write(LogRecord record) throws IOException {
        return http.log(record);
      }

      @Override
      public CompletableFuture<Long> writeLater(LogRecord record) {
        return http.logLater(record);
      }

      @Override
      public LogRecord read(long number) throws IOException {
        return http.logRecord(number);
      }

      @Override
      public void close() {
        // JDK 17's client goes when nobody holds it any more.
      }
    };
  }

  /** Over grpc-java as its documentation has it. */
  static LogCaller stock(Clients clients) {
    ManagedChannel channel = clients.stock();
    LogsGrpc.LogsFutureStub future = LogsGrpc.newFutureStub(channel);
    LogsGrpc.LogsStub callback = LogsGrpc.newStub(channel);
    return new LogCaller() {
      @Override
      public long write(LogRecord record) throws IOException {
        return Clients.await(future.write(LogMessages.of(record))).getNumber();
      }

      @Override
      public CompletableFuture<Long> writeLater(LogRecord record) {
        CompletableFuture<Long> written = new CompletableFuture<>();
        callback.write(
            LogMessages.of(record),
            new StreamObserver<>() {
              private long number;

              @Override
              public void onNext(LogReceipt receipt) {
                number = receipt.getNumber();
              }

              @Override
              public void onError(Throwable failure) {
                written.completeExceptionally(failure);
              }

              @Override
              public void onCompleted() {
                written.complete(number);
              }
            });
        return written;
      }

      @Override
      public LogRecord read(long number) throws IOException {
        return LogMessages.of(
            Clients.await(future.read(LogReceipt.newBuilder().setNumber(number).build())));
      }

      @Override
      public void close() {
        channel.shutdownNow();
      }
    };
  }
}
