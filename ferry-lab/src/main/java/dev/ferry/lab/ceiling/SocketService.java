package dev.ferry.lab.ceiling;

import dev.ferry.lab.model.Daemon;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.suite.Pin;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The server's end of a {@link SocketCeiling}: a thread that serves one connection. */
final class SocketService implements AutoCloseable {
  private final CeilingRequest request;
  private final Workplace workplace;
  private final SocketEnd end;
  private final FreshFiles targets;
  private final Thread thread;
  private volatile @Nullable IOException failure;

  private SocketService(CeilingRequest request, Workplace workplace, SocketEnd end) {
    this.request = request;
    this.workplace = workplace;
    this.end = end;
    this.targets = targets(request, workplace);
    this.thread = Daemon.of("ferry-ceiling-server", this::serve);
  }

  /** Starts to serve a connection, and closes it at its end. */
  static SocketService start(CeilingRequest request, Workplace workplace, SocketChannel channel)
      throws IOException {
    SocketService service =
        new SocketService(request, workplace, new SocketEnd(channel, request.way()));
    service.thread.start();
    return service;
  }

  /** Returns the targets of a connection, which both ends know. */
  static FreshFiles targets(CeilingRequest request, Workplace workplace) {
    Path folder =
        request.direction() == Direction.DOWNLOAD ? workplace.client() : workplace.store();
    return new FreshFiles(folder, request.client());
  }

  /** Returns why it has ended; null if it serves. */
  @Nullable IOException failure() {
    return failure;
  }

  private void serve() {
    // The thread closes its end of the connection for any reason of its end, so that the client
    // does not wait forever.
    try (end) {
      try {
        Pin.pinServerThread();
        while (true) {
          answerOne(end.readNumber());
        }
      } catch (IOException e) {
        // Set before the connection is closed, because the client reads it as soon as the
        // connection fails.
        failure = e;
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  private void answerOne(long n) throws IOException {
    if (request.direction() == Direction.DOWNLOAD) {
      end.send(workplace.source(), request.way());
    } else {
      targets.write(n, file -> end.receive(file, workplace.size()));
      end.answer();
    }
  }

  /** Closes the connection and waits for the end of the thread. */
  @Override
  public void close() throws IOException {
    end.close();
    join();
  }

  /** Waits until the connection has ended. */
  void join() throws InterruptedIOException {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the ceiling's server ended");
    }
  }
}
