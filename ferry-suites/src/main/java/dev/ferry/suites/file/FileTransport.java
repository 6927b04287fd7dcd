package dev.ferry.suites.file;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.rival.RivalJar;
import dev.ferry.suites.rival.TransferClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A server and a client that fit together, as one method of the file tables has them.
 *
 * @param protocol to be negotiated
 * @param gzip what compresses where it does
 * @param encoding to be negotiated where it compresses
 * @param obstacle why it does not run on this machine, and what would help: one line
 * @param foreign whether a part of it is another program
 * @param processes how many share its work at least
 * @param flags of the row's JVM beside those that all have
 * @param classPath of the row's JVM; empty for that of the bench
 * @param server starts the server
 * @param client starts a client
 */
record FileTransport(
    String protocol,
    Codec gzip,
    String encoding,
    Supplier<Optional<String>> obstacle,
    boolean foreign,
    int processes,
    List<String> flags,
    List<Path> classPath,
    ServerStart server,
    ClientStart client) {
  /** What most compress with. */
  static final Codec LEVEL_1 = level1(CompressionCodec.GZIP_JDK);

  /** Starts a server. */
  @FunctionalInterface
  interface ServerStart {
    RowServer start(Workplace workplace, int bufferSize, boolean gzip) throws IOException;
  }

  /** Starts a client of the server on a port. */
  @FunctionalInterface
  interface ClientStart {
    TransferClient start(int port) throws IOException;
  }

  FileTransport(String protocol, ServerStart server, ClientStart client) {
    this(
        protocol, LEVEL_1, "gzip", Optional::empty, false, 1, List.of(), List.of(), server, client);
  }

  /**
   * What a jar of its own holds, in a JVM of its own: there a suite of the same name starts its
   * server and client.
   */
  static FileTransport of(String protocol, RivalJar jar, List<String> flags) {
    ServerStart server =
        (workplace, bufferSize, gzip) -> {
          throw new IllegalStateException("it runs on the class path " + jar.path());
        };
    ClientStart client =
        port -> {
          throw new IllegalStateException("it runs on the class path " + jar.path());
        };
    return new FileTransport(
        protocol,
        LEVEL_1,
        "gzip",
        jar::obstacle,
        false,
        1,
        flags,
        List.of(jar.path()),
        server,
        client);
  }

  private static Codec level1(CompressionCodec library) {
    return new Codec(library.label(), 1);
  }

  FileTransport withProtocol(String value) {
    return new FileTransport(
        value, gzip, encoding, obstacle, foreign, processes, flags, classPath, server, client);
  }

  FileTransport withGzip(Codec value) {
    return new FileTransport(
        protocol, value, encoding, obstacle, foreign, processes, flags, classPath, server, client);
  }

  /** Compresses by a library of {@code ferry-compress}. */
  FileTransport withCodec(CompressionCodec value) {
    return new FileTransport(
        protocol,
        level1(value),
        encoding,
        value::obstacle,
        foreign,
        processes,
        flags,
        classPath,
        server,
        client);
  }

  FileTransport withEncoding(String value) {
    return new FileTransport(
        protocol, gzip, value, obstacle, foreign, processes, flags, classPath, server, client);
  }

  FileTransport withFlags(String... values) {
    return new FileTransport(
        protocol,
        gzip,
        encoding,
        obstacle,
        foreign,
        processes,
        List.of(values),
        classPath,
        server,
        client);
  }

  /** With another program in it, which has a process of its own. */
  FileTransport withForeign(Supplier<Optional<String>> missing) {
    return new FileTransport(
        protocol, gzip, encoding, missing, true, 2, flags, classPath, server, client);
  }

  /** With its server in a process of its own, whatever the run says. */
  FileTransport inTwoProcesses() {
    return new FileTransport(
        protocol, gzip, encoding, obstacle, foreign, 2, flags, classPath, server, client);
  }

  /** With a client for another. */
  FileTransport withClient(ClientStart value) {
    return new FileTransport(
        protocol, gzip, encoding, obstacle, foreign, processes, flags, classPath, server, value);
  }
}
