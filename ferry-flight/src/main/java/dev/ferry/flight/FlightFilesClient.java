package dev.ferry.flight;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.suites.rival.TransferClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.arrow.flight.AsyncPutListener;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightClient.ClientStreamListener;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * A plaintext Flight client for files. Its wire bytes are the bytes of the values, because Flight
 * does not report its overhead.
 */
final class FlightFilesClient implements TransferClient {
  private static final String PROTOCOL = "h2c";
  private static final String ENCODING = "identity";

  private final BufferAllocator allocator = new RootAllocator();
  private final FlightClient client;
  private final FlightMethod method;

  private FlightFilesClient(String host, int port, FlightMethod method) {
    this.client = FlightClient.builder(allocator, Location.forGrpcInsecure(host, port)).build();
    this.method = method;
  }

  /** Creates a client. It connects on the first call. */
  static FlightFilesClient connect(String host, int port, FlightMethod method) {
    return new FlightFilesClient(host, port, method);
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    Ticket ticket = new Ticket(path.value().getBytes(StandardCharsets.UTF_8));
    try (FileSink sink = LocalFileSink.create(target, SinkOptions.DEFAULT)) {
      receive(ticket, sink, path.value());
      return transfer(sink.commit(-1, null));
    }
  }

  private void receive(Ticket ticket, FileSink sink, String name) throws FerryException {
    try (FlightStream stream = client.getStream(ticket)) {
      while (stream.next()) {
        method.write(stream.getRoot(), sink);
      }
    } catch (FerryException e) {
      throw e;
    } catch (FlightRuntimeException e) {
      throw FlightErrors.toFerry(e, name);
    } catch (Exception e) {
      throw new FerryException(ErrorKind.INTERNAL, name + ": " + e.getMessage(), e);
    }
  }

  @Override
  public Transfer upload(Path file, StorePath path, TransferOptions options) throws FerryException {
    FileBatches batches = new FileBatches(method, allocator, options.chunkSize());
    AsyncPutListener results = new AsyncPutListener();
    try (FileSource source = FileSource.open(file)) {
      ClientStreamListener stream =
          client.startPut(FlightDescriptor.path(path.value()), results, method.putOptions());
      try {
        boolean whole = batches.send(source, stream, () -> awaitReady(stream, results));
        if (whole) {
          stream.completed();
        }
        stream.getResult();
        if (!whole) {
          throw new FerryException(ErrorKind.INCOMPLETE, path + ": the server took a part of it");
        }
      } catch (FerryException | RuntimeException e) {
        stream.error(e);
        throw e;
      }
      return transfer(source.facts());
    } catch (FlightRuntimeException e) {
      throw FlightErrors.toFerry(e, path.value());
    }
  }

  /**
   * If the method is tuned, waits until the stream is ready. Returns whether the server accepts
   * more: a server that responds before the end has refused the rest.
   */
  @SuppressWarnings("ThreadPriorityCheck") // Flight has no ready callback here.
  private boolean awaitReady(ClientStreamListener stream, AsyncPutListener results) {
    if (method == FlightMethod.TUNED) {
      // putNext would wait too, but it spins and takes the core from the threads that drain the
      // stream.
      while (!stream.isReady() && !results.isCancelled()) {
        Thread.yield();
      }
    }
    return !results.isCancelled();
  }

  private static Transfer transfer(FileFacts facts) {
    return new Transfer(facts.withoutDigests(), facts.size(), PROTOCOL, ENCODING);
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    allocator.close();
  }
}
