package dev.ferry.s3;

import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FileStore;
import dev.ferry.core.RemoteStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.grpc.internal.GrpcFilesServer;
import dev.ferry.http.HttpFiles;
import dev.ferry.http.internal.server.HttpServer;
import dev.ferry.web.WebFiles;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import java.util.List;

/** A way to reach the files of a server over a store. */
enum Way {
  GRPC,
  HTTP;

  private static final String HOST = "127.0.0.1";

  /** A running server. */
  record Server(ServerPort port, RemoteStore store) {
    /** Stops it. */
    void close() {
      store.spareNone();
      port.close();
    }

    /** Stops it as abruptly as possible. */
    void kill() {
      store.spareNone();
      if (port instanceof GrpcFilesServer grpc) {
        grpc.closeNow();
      } else {
        ((HttpServer) port).closeNow();
      }
    }
  }

  /** Starts a server, which notes calls of the store on its event loops. */
  Server serve(FileStore store) throws Exception {
    RemoteStore noted = new RemoteStore(store);
    ServerSettings settings = ServerSettings.defaults();
    ServerPort port =
        this == GRPC
            ? GrpcFiles.serve(noted, HOST, 0, settings)
            : WebFiles.serve(noted, HOST, 0, settings);
    return new Server(port, noted.spare(port.eventLoops()));
  }

  Carrier connect(int port) {
    return this == GRPC ? GrpcFiles.connect(HOST, port, null, null) : HttpFiles.connect(HOST, port);
  }

  /** The kinds that a client may see when the file changes while it is sent. */
  List<ErrorKind> fileChangedKinds() {
    // HTTP has no way to say why a body ends early.
    return this == HTTP
        ? List.of(ErrorKind.FILE_CHANGED, ErrorKind.INCOMPLETE, ErrorKind.UNAVAILABLE)
        : List.of(ErrorKind.FILE_CHANGED);
  }
}
