package dev.ferry.library;

import dev.ferry.core.FerryException;
import dev.ferry.core.local.LocalFileStore;
import java.io.InputStream;
import java.nio.file.Path;

/** The code that Javadoc shows. */
final class Snippets {
  private Snippets() {}

  static void client(InputStream stream) throws FerryException {
    // @start region="client"
    try (FerryClient ferry = FerryClient.connect("ferry://127.0.0.1:7070")) {
      ferry.upload("inbox/letter.txt", Path.of("letter.txt"));
      ferry.upload("inbox/stream", stream);
      ferry.download("inbox/letter.txt", System.out);
      ferry.async().download("inbox/letter.txt", Path.of("copy.txt")).join();
    }
    // @end
  }

  static void server() throws FerryException, InterruptedException {
    // @start region="server"
    LocalFileStore store = LocalFileStore.open(Path.of("files"));
    try (FerryServer server = FerryServer.builder(store).start()) {
      System.out.println("serves " + server.address(Protocol.GRPC));
      Thread.currentThread().join();
    }
    // @end
  }
}
