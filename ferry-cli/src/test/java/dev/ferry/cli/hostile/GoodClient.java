package dev.ferry.cli.hostile;

import dev.ferry.core.FerryException;
import dev.ferry.core.Retries;
import dev.ferry.library.FerryClient;
import dev.ferry.library.Protocol;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Someone who gets, puts, lists and deletes small files, by turns over HTTP and gRPC, each round by
 * new connections, and without trying anything again.
 */
final class GoodClient {
  private static final byte[] CONTENT = new byte[1_000];

  private final HostileServer server;
  private final List<Double> millis = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private int rounds;

  GoodClient(HostileServer server) {
    this.server = server;
  }

  /** What it wants. */
  @FunctionalInterface
  private interface Want {
    void run() throws FerryException;
  }

  void round() {
    Protocol protocol = rounds++ % 2 == 0 ? Protocol.HTTP : Protocol.GRPC;
    int port = protocol == Protocol.HTTP ? server.http() : server.grpc();
    try (FerryClient client =
        FerryClient.builder("ferry://127.0.0.1:" + port)
            .protocol(protocol)
            .token(server.goodToken())
            .retries(Retries.NONE)
            .connect()) {
      String name = "good" + rounds;
      time(protocol + " put", () -> client.upload(name, CONTENT));
      time(protocol + " get", () -> get(client, name));
      time(protocol + " list", () -> list(client));
      time(protocol + " delete", () -> client.delete(name));
    } catch (FerryException e) {
      failures.add(protocol + " connect: " + e.getMessage());
    }
  }

  private static void get(FerryClient client, String name) throws FerryException {
    ByteArrayOutputStream got = new ByteArrayOutputStream();
    client.download(name, got);
    if (!Arrays.equals(got.toByteArray(), CONTENT)) {
      throw new IllegalStateException("another content");
    }
  }

  private static void list(FerryClient client) throws FerryException {
    if (client.list("few").size() != 3) {
      throw new IllegalStateException("another list");
    }
  }

  private void time(String what, Want want) {
    long start = System.nanoTime();
    try {
      want.run();
    } catch (FerryException | IllegalStateException e) {
      failures.add(what + ": " + e.getMessage());
    }
    millis.add((System.nanoTime() - start) / 1e6);
  }

  /** Returns the median, in milliseconds. */
  double median() {
    List<Double> sorted = new ArrayList<>(millis);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }

  /** Returns the longest time, in milliseconds. */
  double worst() {
    return Collections.max(millis);
  }

  /** Returns how often it wanted something. */
  int count() {
    return millis.size();
  }

  List<String> failures() {
    return failures;
  }
}
