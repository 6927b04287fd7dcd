package example;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.library.FerryClient;
import java.io.InputStream;

/** Uploads what comes from an InputStream, and prints what the server has stored. */
public final class UploadStream {
  private UploadStream() {}

  /** Runs with the address of the server and the path there as arguments. */
  public static void main(String[] args) {
    try (FerryClient ferry = FerryClient.connect(args[0])) {
      System.out.println(run(ferry, args[1], System.in));
    } catch (FerryException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  static String run(FerryClient ferry, String path, InputStream stream) throws FerryException {
    FileFacts stored = ferry.upload(path, stream).facts();
    return "%s: %d bytes, crc32c %s".formatted(stored.name(), stored.size(), stored.crc32c());
  }
}
