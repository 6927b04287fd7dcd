package example;

import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.grpc.GrpcFiles;
import java.nio.file.Path;

/** Fetches a file from a server on this machine, and compares its SHA-256. */
public final class FetchFile {
  private FetchFile() {}

  /** Runs with the port, the path on the server and the local file as arguments. */
  public static void main(String[] args) throws FerryException {
    try (Carrier carrier = GrpcFiles.connect("127.0.0.1", Integer.parseInt(args[0]))) {
      Transfer transfer =
          carrier.download(
              StorePath.parse(args[1]),
              Path.of(args[2]),
              TransferOptions.DEFAULT.withDigest(Digest.Algorithm.SHA256));
      System.out.println(transfer.facts().size() + " bytes, " + transfer.facts().sha256());
    }
  }
}
