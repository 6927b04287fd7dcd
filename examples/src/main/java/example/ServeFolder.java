package example;

import dev.ferry.core.FileServer;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.net.ServerSettings;
import java.nio.file.Path;

/** Serves a folder over gRPC until Ctrl-C. */
public final class ServeFolder {
  private ServeFolder() {}

  /** Runs with the folder and the port as arguments. */
  public static void main(String[] args) throws Exception {
    LocalFileStore store = LocalFileStore.open(Path.of(args[0]));
    int port = Integer.parseInt(args[1]);
    try (FileServer server = GrpcFiles.serve(store, "127.0.0.1", port, ServerSettings.defaults())) {
      System.out.println("serving on port " + server.port());
      Thread.currentThread().join();
    }
  }
}
