package dev.ferry.library;

import dev.ferry.core.FerryException;
import dev.ferry.core.local.LocalFileStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A program with a server, and a client of each protocol for the addresses of another one. Prints
 * what becomes of them.
 */
final class BothEnds {
  private BothEnds() {}

  public static void main(String[] args) throws Exception {
    try (FerryServer server =
        FerryServer.builder(LocalFileStore.open(Path.of(args[0])))
            .grpcPort(0)
            .httpPort(0)
            .start()) {
      print("server", "on port " + server.port(Protocol.GRPC));
    } catch (FerryException e) {
      print("server", e);
    }
    send(Protocol.GRPC, args[2]);
    send(Protocol.HTTP, args[1]);
  }

  private static void send(Protocol protocol, String address) {
    try (FerryClient client = FerryClient.builder(address).protocol(protocol).connect()) {
      var unused = client.upload(protocol.toString(), "hello".getBytes(StandardCharsets.US_ASCII));
      print(protocol.toString(), "sent");
    } catch (FerryException e) {
      print(protocol.toString(), e);
    }
  }

  private static void print(String what, FerryException failure) {
    print(what, failure.kind() + " " + failure.getMessage());
  }

  private static void print(String what, String outcome) {
    System.out.println(what + ": " + outcome);
  }
}
