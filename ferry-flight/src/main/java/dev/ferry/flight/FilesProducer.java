package dev.ferry.flight;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.apache.arrow.flight.BackpressureStrategy;
import org.apache.arrow.flight.BackpressureStrategy.CallbackBackpressureStrategy;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.vector.types.pojo.Schema;

/** Serves downloads from a store and uploads to it. Thread-safe. */
final class FilesProducer extends NoOpFlightProducer {
  private final FileStore store;
  private final FileBatches batches;
  private final ExecutorService senders;

  /**
   * Creates a producer. It sends on the given threads, because the thread of a call must be free
   * for the ready callbacks of its stream.
   */
  FilesProducer(FileStore store, FileBatches batches, ExecutorService senders) {
    this.store = store;
    this.batches = batches;
    this.senders = senders;
  }

  @Override
  public void getStream(CallContext context, Ticket ticket, ServerStreamListener listener) {
    BackpressureStrategy backpressure = new CallbackBackpressureStrategy();
    backpressure.register(listener);
    senders.execute(() -> send(ticket, listener, backpressure));
  }

  private void send(
      Ticket ticket, ServerStreamListener listener, BackpressureStrategy backpressure) {
    String path = new String(ticket.getBytes(), StandardCharsets.UTF_8);
    try (FileSource source = store.open(StorePath.parse(path))) {
      boolean whole =
          batches.send(
              source,
              listener,
              () -> backpressure.waitForListener(0) == BackpressureStrategy.WaitResult.READY);
      if (whole) {
        listener.completed();
      } else {
        listener.error(
            FlightErrors.toFlight(new FerryException(ErrorKind.CANCELLED, path + ": cancelled")));
      }
    } catch (FerryException e) {
      listener.error(FlightErrors.toFlight(e));
    } catch (RuntimeException e) {
      // Without this, the client would wait forever.
      listener.error(e);
    }
  }

  @Override
  public Runnable acceptPut(
      CallContext context, FlightStream stream, StreamListener<PutResult> results) {
    return () -> {
      try {
        FileFacts unused = receive(stream);
      } catch (FerryException e) {
        // Flight ends the call with this error. If nothing is thrown, Flight reports success.
        throw FlightErrors.toFlight(e);
      }
    };
  }

  private FileFacts receive(FlightStream stream) throws FerryException {
    // Throws if the client cancels before it names a file. Waiting for the descriptor would block.
    Schema unused = stream.getSchema();
    try (FileSink sink = store.create(path(stream.getDescriptor()), CreateOptions.DEFAULT)) {
      while (stream.next()) {
        batches.method().write(stream.getRoot(), sink);
      }
      return sink.commit(-1, null);
    } catch (FerryException e) {
      // Reads the rest, because otherwise the queued data of the client would keep its buffers.
      while (stream.next()) {
        continue;
      }
      throw e;
    }
  }

  private static StorePath path(FlightDescriptor descriptor) throws FerryException {
    List<String> parts = descriptor.isCommand() ? List.of() : descriptor.getPath();
    if (parts.size() != 1) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "an upload names its file by a path of one part");
    }
    return StorePath.parse(parts.get(0));
  }
}
