package dev.ferry.library;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.internal.Library;
import dev.ferry.core.internal.ServerAddress;
import dev.ferry.core.internal.TimeLeft;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.web.WebFiles;
import dev.ferry.wire.Callers;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.ServerTls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A server of files: one port for HTTP/1.1, HTTP/2, WebDAV, the page for browsers and gRPC-Web, and
 * one for gRPC.
 *
 * {@snippet class="dev.ferry.library.Snippets" region="server"}
 *
 * <p>Thread-safe.
 */
public final class FerryServer implements AutoCloseable {
  private final String host;
  private final boolean tls;
  private final Duration patience;
  private final @Nullable ServerPort http;
  private final @Nullable ServerPort grpc;
  private final List<ServerPort> ports = new ArrayList<>();

  private FerryServer(Builder builder, @Nullable ServerPort http, @Nullable ServerPort grpc) {
    this.host = builder.host;
    this.tls = builder.settings.tls() != null;
    this.patience = builder.patience;
    this.http = http;
    this.grpc = grpc;
    if (http != null) {
      ports.add(http);
    }
    if (grpc != null) {
      ports.add(grpc);
    }
  }

  /**
   * Begins to make a server.
   *
   * @param store the files, for instance {@link dev.ferry.core.local.LocalFileStore#open}; the
   *     server does not close it. The store deletes partial uploads that have expired when others
   *     begin
   */
  public static Builder builder(FileStore store) {
    return new Builder(store);
  }

  /** Settings of a new server. For one thread at a time. */
  public static final class Builder {
    private static final int NONE = -1;

    private final FileStore store;
    private String host = "127.0.0.1";
    private int httpPort = Protocol.HTTP_PORT;
    private int grpcPort = Protocol.GRPC_PORT;
    private ServerSettings settings = ServerSettings.defaults();
    private Duration patience = Duration.ofSeconds(30);

    private Builder(FileStore store) {
      this.store = store;
    }

    /**
     * Listens on an address, or the address of a host name. The default, {@code 127.0.0.1}, is for
     * this machine alone. With another one, everyone who reaches a port may read and replace the
     * files, unless there are {@link #callers}.
     */
    public Builder host(String value) {
      host = value;
      return this;
    }

    private static int port(int value) {
      if (value < 0 || value > 65_535) {
        throw new IllegalArgumentException("port " + value + " is not from 0 to 65535");
      }
      return value;
    }

    /**
     * Chooses the port of HTTP, by default 7080; 0 selects a free one.
     *
     * @throws IllegalArgumentException if it is not from 0 to 65535
     */
    public Builder httpPort(int value) {
      httpPort = port(value);
      return this;
    }

    /** Opens no port for HTTP. */
    public Builder withoutHttp() {
      httpPort = NONE;
      return this;
    }

    /**
     * Chooses the port of gRPC, by default 7070; 0 selects a free one.
     *
     * @throws IllegalArgumentException if it is not from 0 to 65535
     */
    public Builder grpcPort(int value) {
      grpcPort = port(value);
      return this;
    }

    /** Opens no port for gRPC. */
    public Builder withoutGrpc() {
      grpcPort = NONE;
      return this;
    }

    /** Encrypts both ports. */
    public Builder tls(ServerTls value) {
      return settings(all -> all.withTls(value));
    }

    /**
     * Serves those alone who have a token or certificate, within their rules; see {@link
     * dev.ferry.wire.CallersFile}.
     */
    public Builder callers(Callers value) {
      return settings(all -> all.withCallers(value));
    }

    /**
     * Says below which path a proxy has the HTTP port, such as {@code /ferry}; see {@link
     * ServerSettings#basePath}.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public Builder basePath(String value) {
      return settings(all -> all.withBasePath(value));
    }

    /** Changes limits and other settings of both ports. */
    public Builder settings(UnaryOperator<ServerSettings> change) {
      settings = change.apply(settings);
      return this;
    }

    /** Says how long {@link FerryServer#close} waits for requests, by default 30 seconds. */
    public Builder patience(Duration value) {
      // More does not fit into nanoseconds.
      patience = value.compareTo(TimeLeft.LONGEST) < 0 ? value : TimeLeft.LONGEST;
      return this;
    }

    /**
     * Opens the ports.
     *
     * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if a port cannot be opened; with
     *     {@link ErrorKind#INVALID_REQUEST} if there is none; with {@link ErrorKind#INTERNAL} if
     *     the program lacks a library, or has one in a version that is too old
     */
    public FerryServer start() throws FerryException {
      Library.requireWhole();
      try {
        return open();
      } catch (LinkageError e) {
        throw Library.failure(e);
      }
    }

    private FerryServer open() throws FerryException {
      if (httpPort == NONE && grpcPort == NONE) {
        throw new FerryException(
            ErrorKind.INVALID_REQUEST,
            "a server needs a port: leave out one of withoutHttp and" + " withoutGrpc");
      }
      ServerPort http = httpPort == NONE ? null : WebFiles.serve(store, host, httpPort, settings);
      try {
        ServerPort grpc =
            grpcPort == NONE ? null : GrpcFiles.serve(store, host, grpcPort, settings);
        return new FerryServer(this, http, grpc);
      } catch (FerryException | RuntimeException | Error e) {
        if (http != null) {
          http.close();
        }
        throw e;
      }
    }
  }

  /**
   * Returns the port of a protocol.
   *
   * @throws IllegalStateException if the server has none
   */
  public int port(Protocol protocol) {
    ServerPort port = protocol == Protocol.HTTP ? http : grpc;
    if (port == null) {
      throw new IllegalStateException("the server has no port for " + protocol);
    }
    return port.port();
  }

  /**
   * Returns the address of a protocol for {@link FerryClient#builder}, which needs {@link
   * FerryClient.Builder#protocol} if the port is not 7070 or 7080.
   */
  public String address(Protocol protocol) {
    return (tls ? "ferrys://" : "ferry://") + ServerAddress.format(host, port(protocol));
  }

  /**
   * Refuses new requests, waits for those that run as long as {@link Builder#patience} says, ends
   * the others, and closes the ports. An interrupt ends the wait. A second call has no effect.
   */
  @Override
  public void close() {
    ports.forEach(ServerPort::drain);
    long end = System.nanoTime() + patience.toNanos();
    try {
      for (ServerPort port : ports) {
        boolean unused = port.awaitRequests(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ports.forEach(ServerPort::endRequests);
    ports.forEach(ServerPort::close);
  }
}
