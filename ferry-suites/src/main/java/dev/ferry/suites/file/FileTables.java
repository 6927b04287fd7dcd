package dev.ferry.suites.file;

import dev.ferry.core.ByteSize;
import dev.ferry.core.Compression;
import dev.ferry.core.Digest;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A pair of tables, one for each direction: their methods, and the transport of each row. Filled
 * once, by {@link #add}, and not changed after that.
 */
final class FileTables {
  /** Bytes of a chunk, and of a rival's copies. */
  static final String BUFFER_SIZE = "BufferSize";

  /** Whether the file travels compressed. */
  static final String USE_COMPRESSION = "UseCompression";

  /** Which digests of both ends are compared, in the timed part. */
  static final String VERIFY = "Verify";

  /** Stands for the largest chunk, which is less by the headers of its message. */
  private static final long MIB = 1 << 20;

  private static final Parameter.Reader BUFFER_SIZES = FileTables::bufferSize;

  private static final Parameter.Reader COMPRESSIONS = FileTables::useCompression;

  private static final Parameter.Reader VERIFICATIONS = FileTables::verification;

  private static final List<String> ALL_VERIFICATIONS =
      List.of("none", Digest.Algorithm.CRC32C.id(), Digest.Algorithm.SHA256.id());

  private static final String PLAIN = "false";

  /** As the reference's tables say it. */
  private static final String GZIP_1 = "true";

  /** At which settings a method has rows. */
  enum Settings {
    /** At all of them. */
    ALL,
    /** Compressed alone: there is nothing else to see in them. */
    COMPRESSED,
    /** Uncompressed alone. */
    PLAIN,
    /** At all of them, but uploads are uncompressed. */
    PLAIN_UPLOADS,
    /** Uncompressed downloads alone. */
    PLAIN_DOWNLOADS,
    /** Uncompressed downloads verified by CRC-32C alone. */
    CRC32C_DOWNLOADS;

    private boolean has(Direction direction) {
      return direction == Direction.DOWNLOAD
          || (this != PLAIN_DOWNLOADS && this != CRC32C_DOWNLOADS);
    }

    /** {@code true}, {@code false}, or both if this is empty. */
    private String compression(Direction direction) {
      return switch (this) {
        case ALL -> "";
        case COMPRESSED -> "true";
        case PLAIN, PLAIN_DOWNLOADS, CRC32C_DOWNLOADS -> "false";
        case PLAIN_UPLOADS -> direction == Direction.UPLOAD ? "false" : "";
      };
    }
  }

  private record Entry(
      Settings settings, Function<RowKey, FileTransport> transport, boolean aside) {}

  private final String prefix;
  private final List<Parameter> parameters;
  private final String baseline;
  private final boolean main;
  private final Map<String, Entry> methods = new LinkedHashMap<>();

  private FileTables(String prefix, List<Parameter> parameters, String baseline, boolean main) {
    this.prefix = prefix;
    this.parameters = List.copyOf(parameters);
    this.baseline = baseline;
    this.main = main;
  }

  /** The main tables of a suite, which have the names of the directions. */
  static FileTables main(List<Parameter> parameters, String baseline) {
    return new FileTables("", parameters, baseline, true);
  }

  /**
   * Tables that run if a filter names them.
   *
   * @param name the prefix of their names, before the direction
   */
  static FileTables onRequest(String name, List<Parameter> parameters, String baseline) {
    return new FileTables(name + "-", parameters, baseline, false);
  }

  /** The reference's parameters, and others before them. */
  static List<Parameter> parameters(Parameter... first) {
    List<Parameter> all = new ArrayList<>(List.of(first));
    all.addAll(sizes("4096", "65536", "81920"));
    return all;
  }

  /** The reference's parameters with other sizes. */
  static List<Parameter> sizes(String... bufferSizes) {
    return List.of(bufferSizes(bufferSizes), compressions("false", "true"));
  }

  /** Buffer sizes, of which a user may choose others. */
  static Parameter bufferSizes(String... values) {
    return new Parameter(BUFFER_SIZE, List.of(values), BUFFER_SIZES);
  }

  /** Compressions, of which a user may choose others. */
  static Parameter compressions(String... values) {
    return new Parameter(USE_COMPRESSION, List.of(values), COMPRESSIONS);
  }

  private static String useCompression(String text) {
    if (text.equals("none")) {
      return PLAIN;
    }
    Compression compression = parse(text);
    return compression.equals(Compression.GZIP)
        ? GZIP_1
        : compression.format().encoding() + ":" + compression.level();
  }

  private static Compression parse(String text) {
    for (Compression.Format format : Compression.Format.values()) {
      String prefix = format.encoding() + ":";
      String level = text.substring(Math.min(prefix.length(), text.length()));
      if (text.startsWith(prefix) && level.matches("\\d{1,2}")) {
        return new Compression(format, Integer.parseInt(level));
      }
    }
    throw new IllegalArgumentException(
        "'"
            + text
            + "' is not a compression; give none, or a format with its level: gzip:1, zstd:3");
  }

  private static String bufferSize(String text) {
    long bytes = ByteSize.parse(text);
    if (bytes == MIB) {
      return Integer.toString(TransferOptions.MAX_CHUNK);
    }
    if (bytes < TransferOptions.MIN_CHUNK || bytes > TransferOptions.MAX_CHUNK) {
      throw new IllegalArgumentException(
          "%s is not a buffer size; give %d to %d bytes, or 1M for the largest"
              .formatted(text, TransferOptions.MIN_CHUNK, TransferOptions.MAX_CHUNK));
    }
    return Long.toString(bytes);
  }

  private static String verification(String text) {
    if (!ALL_VERIFICATIONS.contains(text)) {
      throw new IllegalArgumentException(
          "'%s' is not a digest; give one or more of %s"
              .formatted(text, String.join(",", ALL_VERIFICATIONS)));
    }
    return text;
  }

  /** Rows without a digest, and with each of those that both ends can compute. */
  static Parameter verify() {
    return new Parameter(VERIFY, ALL_VERIFICATIONS, VERIFICATIONS);
  }

  /** How a row compresses; null if it does not. Tables without the parameter do not. */
  static @Nullable Compression compression(RowKey row) {
    String value = row.parameters().getOrDefault(USE_COMPRESSION, PLAIN);
    return switch (value) {
      case PLAIN -> null;
      case GZIP_1 -> Compression.GZIP;
      default -> parse(value);
    };
  }

  /** Whether a row compresses. */
  static boolean isCompressed(RowKey row) {
    return compression(row) != null;
  }

  /** Adds a method whose rows are all made of the same. */
  FileTables add(String method, Function<RowKey, FileTransport> transport) {
    return add(method, Settings.ALL, transport);
  }

  /** The same at some settings alone. */
  FileTables add(String method, Settings settings, Function<RowKey, FileTransport> transport) {
    methods.put(method, new Entry(settings, transport, false));
    return this;
  }

  /** Adds a method that the question of the tables is not about. */
  FileTables addAside(String method, Function<RowKey, FileTransport> transport) {
    methods.put(method, new Entry(Settings.ALL, transport, true));
    return this;
  }

  /** The tables. */
  List<Table> tables() {
    return Stream.of(Direction.values()).map(this::table).toList();
  }

  private Table table(Direction direction) {
    List<String> names =
        methods.keySet().stream().filter(name -> entry(name).settings().has(direction)).toList();
    Table table = new Table(prefix + direction.table(), parameters, names, baseline);
    for (String name : names) {
      String compression = entry(name).settings().compression(direction);
      if (!compression.isEmpty()) {
        table = table.withOnly(name, USE_COMPRESSION, compression);
      }
      if (entry(name).aside()) {
        table = table.withAside(name);
      }
      if (entry(name).settings() == Settings.CRC32C_DOWNLOADS) {
        table = table.withOnly(name, VERIFY, Digest.Algorithm.CRC32C.id());
      }
    }
    return main ? table : table.onRequest();
  }

  private Entry entry(String method) {
    Entry entry = methods.get(method);
    if (entry == null) {
      throw new IllegalArgumentException("no method " + method + " in " + methods.keySet());
    }
    return entry;
  }

  /** Returns the transport of a row. */
  FileTransport transport(RowKey row) {
    FileTransport transport = entry(row.method()).transport().apply(row);
    String verify = row.parameters().get(VERIFY);
    for (Digest.Algorithm algorithm : Digest.Algorithm.values()) {
      if (algorithm.id().equals(verify)) {
        return transport.verifiedBy(algorithm);
      }
    }
    return transport;
  }
}
