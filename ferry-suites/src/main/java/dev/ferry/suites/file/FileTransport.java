package dev.ferry.suites.file;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.core.Compression;
import dev.ferry.core.Digest;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.rival.TransferClient;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server and a client that fit together, as one method of the file tables has them. Each row has
 * one of its own, which is set up where it is made and not changed after that.
 */
final class FileTransport {
  /** What most compress with. */
  static final Codec LEVEL_1 = new Codec(CompressionCodec.GZIP_JDK.label(), 1);

  private final String protocol;
  private final ServerStart server;
  private final PairedClientStart client;
  private Codec gzip = LEVEL_1;
  private Supplier<Optional<String>> obstacle = Optional::empty;
  private boolean anyCompression;
  private boolean foreign;
  private Digest.@Nullable Algorithm digest;
  private boolean digestKnown;
  private int processes = 1;
  private List<String> flags = List.of();

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

  /** Starts a client that reads from the workplace what it needs of the server on a port. */
  @FunctionalInterface
  interface PairedClientStart {
    TransferClient start(Workplace workplace, int port) throws IOException;
  }

  /**
   * Of a server and a client in plain text.
   *
   * @param protocol to be negotiated
   */
  FileTransport(String protocol, ServerStart server, ClientStart client) {
    this(protocol, server, (workplace, port) -> client.start(port));
  }

  /**
   * Of a server and a client that need something of each other.
   *
   * @param protocol to be negotiated
   */
  FileTransport(String protocol, ServerStart server, PairedClientStart client) {
    this.protocol = protocol;
    this.server = server;
    this.client = client;
  }

  /** With something else that compresses. */
  FileTransport withGzip(Codec value) {
    gzip = value;
    return this;
  }

  /** With a library of {@code ferry-compress}. */
  FileTransport withCodec(CompressionCodec value) {
    return withObstacle(value::obstacle).withGzip(new Codec(value.label(), 1));
  }

  /** With every format and level of {@link Compression}, by the libraries of the product. */
  FileTransport withAnyCompression() {
    anyCompression = true;
    return this;
  }

  /** With flags of the row's JVM beside those that all have. */
  FileTransport withFlags(List<String> values) {
    flags = List.copyOf(values);
    return this;
  }

  /**
   * With something that not every machine has.
   *
   * @param missing why it does not run on this machine, and what would help: one line
   */
  FileTransport withObstacle(Supplier<Optional<String>> missing) {
    obstacle = missing;
    return this;
  }

  /**
   * With another program in it, which has a process of its own.
   *
   * @param missing why it does not run on this machine, and what would help: one line
   */
  FileTransport withForeign(Supplier<Optional<String>> missing) {
    foreign = true;
    return withObstacle(missing).inTwoProcesses();
  }

  /** With the digest of both ends compared in each transfer, as users get it. */
  FileTransport verified() {
    digest = TransferOptions.DEFAULT.digest();
    return this;
  }

  /** With a digest of both ends compared in each transfer. */
  FileTransport verifiedBy(Digest.Algorithm algorithm) {
    digest = algorithm;
    return this;
  }

  /** With a server that knows the digests of its files, as of those that were read before. */
  FileTransport withKnownDigest() {
    digestKnown = true;
    return this;
  }

  /** Returns this transport with its server always in a separate process, regardless of the run. */
  FileTransport inTwoProcesses() {
    processes = 2;
    return this;
  }

  /**
   * Returns what a fork of a row needs.
   *
   * @param compression how the row compresses; null if it does not
   * @param shares what the row has in common with others of its fork; null if it has its own
   */
  RowSpec.Needs needs(@Nullable Compression compression, @Nullable RowKey shares) {
    return new RowSpec.Needs(flags, () -> obstacle(compression), foreign, shares);
  }

  /** Returns what a row promises. */
  RowSpec.Promise promise(@Nullable Compression compression) {
    if (compression == null) {
      return RowSpec.Promise.identity(protocol, processes);
    }
    String format = compression.format().encoding();
    Codec codec =
        isUsual(compression)
            ? gzip
            : new Codec(library(compression).label(), format, compression.level());
    return new RowSpec.Promise(protocol, format, codec, processes);
  }

  /** What every transport compresses with, if not at another level of its own. */
  private static boolean isUsual(Compression compression) {
    return compression.equals(Compression.GZIP);
  }

  private static CompressionCodec library(Compression compression) {
    return compression.format() == Compression.Format.ZSTD
        ? CompressionCodec.ZSTD
        : CompressionCodec.GZIP_JDK;
  }

  /** Why it does not run on this machine with a compression, and what would help: one line. */
  private Optional<String> obstacle(@Nullable Compression compression) {
    if (compression == null || isUsual(compression)) {
      return obstacle.get();
    }
    return anyCompression
        ? library(compression).obstacle()
        : Optional.of("it compresses at only one level of gzip; give --compression none,gzip:1");
  }

  /** Returns the ceilings of a row that compresses. */
  List<CeilingName> ceilings(Compression compression) {
    // The ceiling of a codec is that codec at that level, not another.
    Codec codec = promise(compression).codec();
    boolean intel = codec.library().equals(CompressionCodec.GZIP_INTEL.label());
    if (!(intel || codec.equals(LEVEL_1)) || obstacle(compression).isPresent()) {
      // What keeps the row from running would keep its ceiling from being measured.
      return List.of();
    }
    return List.of(intel ? CeilingName.GZIP_INTEL_ALL : CeilingName.GZIP_ALL);
  }

  /** What is compared in each transfer; null for nothing. */
  Digest.@Nullable Algorithm digest() {
    return digest;
  }

  /** Whether the server knows the digests of its files, so that only the receiver computes them. */
  boolean digestKnown() {
    return digestKnown;
  }

  /** Starts the server. */
  RowServer startServer(Workplace workplace, int bufferSize, boolean compressed)
      throws IOException {
    return server.start(workplace, bufferSize, compressed);
  }

  /** Starts a client of the server of a workplace. */
  TransferClient startClient(Workplace workplace, int port) throws IOException {
    return client.start(workplace, port);
  }
}
