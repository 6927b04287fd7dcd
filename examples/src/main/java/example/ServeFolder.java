package example;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.library.FerryServer;
import dev.ferry.library.Protocol;
import java.nio.file.Path;

/** Serves a folder until Ctrl-C: gRPC, HTTP, and a page for browsers. */
public final class ServeFolder {
  private ServeFolder() {}

  /** Runs with the folder and the ports of gRPC and HTTP as arguments. */
  public static void main(String[] args) throws Exception {
    FerryServer.Builder builder =
        FerryServer.builder(LocalFileStore.open(Path.of(args[0])))
            .grpcPort(Integer.parseInt(args[1]))
            .httpPort(Integer.parseInt(args[2]));
    try (FerryServer server = builder.start()) {
      System.out.println("grpc " + server.address(Protocol.GRPC));
      System.out.println("http " + server.address(Protocol.HTTP));
      Thread.currentThread().join();
    }
  }
}
