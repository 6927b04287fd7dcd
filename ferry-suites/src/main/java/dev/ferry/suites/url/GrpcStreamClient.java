package dev.ferry.suites.url;

import com.google.protobuf.DynamicMessage;
import dev.ferry.suites.own.BytesWriter;
import dev.ferry.suites.own.GatheredBytes;
import dev.ferry.suites.own.ReadObserver;
import dev.ferry.suites.own.TunedBlobs;
import dev.ferry.suites.own.ViewedBytes;
import dev.ferry.suites.rival.GrpcEnd;
import dev.ferry.suites.rival.PartFile;
import dev.ferry.zerocopy.BytesField;
import dev.ferry.zerocopy.CopyCounters;
import dev.ferry.zerocopy.ZeroCopy;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * Receives the bytes of a stream into a file, in the ways of {@link
 * dev.ferry.suites.own.OwnMethod}. No generated code is needed: messages are {@link
 * DynamicMessage}s.
 *
 * @param <M> a message
 */
final class GrpcStreamClient<M> implements DownloadOperation.Download {
  private final GrpcCall call;
  private final long messages;
  private final ManagedChannel channel;
  private final MethodDescriptor<byte[], M> method;
  private final Supplier<BytesWriter<M>> writers;

  /** Whether messages are requested ahead, and not one by one by a blocking iterator. */
  private final boolean ahead;

  private GrpcStreamClient(
      GrpcCall call,
      long messages,
      ManagedChannel channel,
      MethodDescriptor<byte[], M> method,
      Supplier<BytesWriter<M>> writers,
      boolean ahead) {
    this.call = call;
    this.messages = messages;
    this.channel = channel;
    this.method = method;
    this.writers = writers;
    this.ahead = ahead;
  }

  /**
   * Connects, lazily.
   *
   * @param row the method of a row
   * @param messages how many responses have to come
   */
  static GrpcStreamClient<?> connect(String row, GrpcCall call, long messages) {
    return switch (row) {
      case GrpcSuite.TUNED -> tuned(call, messages);
      case GrpcSuite.ZERO_COPY -> zeroCopy(call, messages);
      default -> atDefaults(call, messages);
    };
  }

  private static GrpcStreamClient<?> atDefaults(GrpcCall call, long messages) {
    return new GrpcStreamClient<>(
        call,
        messages,
        GrpcClient.builder(call.address()).build(),
        GrpcClient.stream(call),
        () -> BytesWriter.arrays(call::bytes),
        false);
  }

  /** Messages are not read as views of Netty's buffers, since protobuf 4.36 copies such views. */
  private static GrpcStreamClient<?> tuned(GrpcCall call, long messages) {
    return new GrpcStreamClient<>(
        call,
        messages,
        TunedBlobs.connect(GrpcClient.builder(call.address())).build(),
        GrpcClient.stream(call),
        () -> new GatheredBytes<>(call::bytes, message -> {}),
        true);
  }

  private static GrpcStreamClient<?> zeroCopy(GrpcCall call, long messages) {
    BytesField<DynamicMessage> data =
        BytesField.of(
            DynamicMessage.getDefaultInstance(call.method().getOutputType()),
            call.received().getNumber());
    return new GrpcStreamClient<>(
        call,
        messages,
        ZeroCopy.client(GrpcClient.builder(call.address())).directExecutor().build(),
        data.responses(GrpcClient.stream(call)),
        () -> new ViewedBytes<>(() -> requireViews(call, data.copies().snapshot())),
        true);
  }

  /** A row must not be slower because it did something else than its name says. */
  private static void requireViews(GrpcCall call, CopyCounters.Snapshot copies) throws IOException {
    if (copies.viewed() == 0 && copies.copiedIn() > 0) {
      throw new IOException(
          call.address()
              + ": each message was copied, as if the server compresses; leave this row out");
    }
  }

  @Override
  public String get(Path target) throws IOException {
    try (Received<M> received = new Received<>(target, writers.get())) {
      receive(received);
      if (received.messages != messages) {
        throw new IOException(
            "%s responded with %,d messages; when the run began, with %,d"
                .formatted(call.address(), received.messages, messages));
      }
      received.commit();
      return GrpcOperation.PROTOCOL;
    } catch (StatusRuntimeException e) {
      throw GrpcClient.failure(call.address(), e);
    } catch (ExecutionException e) {
      throw GrpcClient.failure(call.address(), Status.fromThrowable(e).asRuntimeException());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(call.address() + ": interrupted", e);
    }
  }

  private void receive(Received<M> received)
      throws IOException, ExecutionException, InterruptedException {
    byte[] request = call.request().toByteArray();
    if (ahead) {
      ReadObserver<byte[], M> observer = new ReadObserver<>(received::take);
      ClientCalls.asyncServerStreamingCall(
          channel.newCall(method, GrpcClient.options()), request, observer);
      observer.await();
    } else {
      Iterator<M> responses =
          ClientCalls.blockingServerStreamingCall(channel, method, GrpcClient.options(), request);
      while (responses.hasNext()) {
        received.take(responses.next());
      }
    }
  }

  @Override
  public void close() {
    GrpcEnd.now(channel);
  }

  /** The bytes of one stream, under a temporary name until they are whole. */
  private static final class Received<M> implements Closeable {
    private final PartFile file;
    private final BytesWriter<M> writer;
    private long messages;

    Received(Path target, BytesWriter<M> writer) throws IOException {
      this.file = new PartFile(target);
      this.writer = writer;
    }

    /** Takes a message over. */
    void take(M message) throws IOException {
      messages++;
      int unused = writer.write(message, file.channel());
    }

    /** Gives the file its name. */
    void commit() throws IOException {
      writer.flush(file.channel());
      file.commit();
    }

    @Override
    public void close() throws IOException {
      writer.discard();
      file.close();
    }
  }
}
