package dev.ferry.lab.suite;

import dev.ferry.core.Carrier;
import dev.ferry.core.LocalFileStore;
import dev.ferry.grpc.GrpcCarrier;
import dev.ferry.grpc.GrpcFilesServer;
import dev.ferry.grpc.Method;
import dev.ferry.http.HttpFilesServer;
import dev.ferry.http.JdkHttpCarrier;
import dev.ferry.lab.model.CeilingName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Servers and clients by the name of a method, on this machine. */
final class FileCarriers {
  private static final String HOST = "127.0.0.1";

  private FileCarriers() {}

  /**
   * Starts the server of a method.
   *
   * @param bufferSize bytes of one copy
   */
  static RowServer serve(String method, Path store, int bufferSize) throws IOException {
    LocalFileStore files = LocalFileStore.open(store);
    if (method.equals(FileTransferSuite.HTTP_CLIENT)) {
      HttpFilesServer http = HttpFilesServer.start(files, HOST, 0, bufferSize);
      return RowServer.of(http.port(), http);
    }
    GrpcFilesServer grpc = GrpcFilesServer.start(files, HOST, 0, method(method));
    return RowServer.of(grpc.port(), grpc);
  }

  /** The client of a method. */
  static Carrier connect(String method, int port) throws IOException {
    return method.equals(FileTransferSuite.HTTP_CLIENT)
        ? JdkHttpCarrier.connectPlain(HOST, port)
        : GrpcCarrier.connect(HOST, port, method(method));
  }

  /** The protocol it is to negotiate. */
  static String protocol(String method) {
    return method.equals(FileTransferSuite.HTTP_CLIENT) ? "http/1.1" : "h2c";
  }

  /** What bounds a transfer that is not compressed: sockets and files, and no protocol. */
  static List<CeilingName> ceilings(Direction direction) {
    return switch (direction) {
      case DOWNLOAD -> List.of(CeilingName.SOCKET_DOWNLOAD, CeilingName.SOCKET_DOWNLOAD_TRANSFER);
      case UPLOAD -> List.of(CeilingName.SOCKET_UPLOAD, CeilingName.SOCKET_UPLOAD_TRANSFER);
    };
  }

  private static Method method(String label) {
    return Stream.of(Method.values())
        .filter(m -> m.label().equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no method " + label));
  }
}
