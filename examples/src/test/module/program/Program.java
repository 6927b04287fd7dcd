package program;

import dev.ferry.core.FerryException;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.library.FerryClient;
import dev.ferry.library.FerryServer;
import dev.ferry.library.Protocol;
import java.nio.file.Path;

/** Moves a file to a server and back, over each protocol. */
public final class Program {
  private Program() {}

  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]);
    Path file = Path.of(args[1]);
    try (FerryServer server =
        FerryServer.builder(LocalFileStore.open(root)).grpcPort(0).httpPort(0).start()) {
      for (Protocol protocol : Protocol.values()) {
        try (FerryClient ferry =
            FerryClient.builder(server.address(protocol))
                .protocol(protocol)
                .options(TransferOptions.DEFAULT.withGzip(true))
                .connect()) {
          String name = protocol.toString();
          ferry.upload(name, file);
          Transfer fetched = ferry.download(name, root.resolve(name + ".copy"));
          System.out.println(name + " " + fetched.encoding() + " " + ferry.list("").size());
          refused(ferry);
        }
      }
    }
  }

  private static void refused(FerryClient ferry) {
    try {
      System.out.println(ferry.stat("missing"));
    } catch (FerryException e) {
      System.out.println(e.getMessage());
    }
  }
}
