package dev.ferry.lab.suite;

import dev.ferry.lab.rival.Mover;
import dev.ferry.pack.PackCodec;
import java.io.IOException;
import java.util.List;

/**
 * A server and a client that fit together, as one method of the file tables has them.
 *
 * @param protocol to be negotiated
 * @param gzip which library compresses, and how
 * @param encoding to be negotiated where it compresses
 * @param codec must be there on this machine
 * @param flags of the row's JVM beside those that all have
 * @param server starts the server
 * @param client starts a client
 */
record Stack(
    String protocol,
    String gzip,
    String encoding,
    PackCodec codec,
    List<String> flags,
    ServerStart server,
    ClientStart client) {
  /** What most compress with. */
  static final String LEVEL_1 = "java.util.zip, gzip level 1";

  /** Starts a server. */
  @FunctionalInterface
  interface ServerStart {
    RowServer start(Workplace workplace, int bufferSize, boolean gzip) throws IOException;
  }

  /** Starts a client of the server on a port. */
  @FunctionalInterface
  interface ClientStart {
    Mover start(int port) throws IOException;
  }

  Stack(String protocol, ServerStart server, ClientStart client) {
    this(protocol, LEVEL_1, "gzip", PackCodec.GZIP_JDK, List.of(), server, client);
  }

  Stack withGzip(String value) {
    return new Stack(protocol, value, encoding, codec, flags, server, client);
  }

  /** Compresses by a library of {@code ferry-pack}. */
  Stack withCodec(PackCodec value) {
    String label = value.label() + ", gzip level 1";
    return new Stack(protocol, label, encoding, value, flags, server, client);
  }

  Stack withEncoding(String value) {
    return new Stack(protocol, gzip, value, codec, flags, server, client);
  }

  Stack withFlags(String... values) {
    return new Stack(protocol, gzip, encoding, codec, List.of(values), server, client);
  }
}
