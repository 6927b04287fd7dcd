package dev.ferry.cli.client;

import dev.ferry.cli.program.PathConverter;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.library.Protocol;
import dev.ferry.library.internal.FileAddress;
import dev.ferry.wire.Servers;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * What the arguments of a command name: paths, and perhaps their server. Without an address among
 * them, the options name the server. One thread at a time.
 */
public final class ServerArguments {
  private final ServerOptions options;

  /** The address of the first argument that is one. */
  private @Nullable FileAddress given;

  /** Whether an argument without a server came before any address. */
  private boolean plainPath;

  ServerArguments(ServerOptions options) {
    this.options = options;
  }

  private ServerArguments(ServerOptions options, FileAddress given) {
    this.options = options;
    this.given = given;
  }

  /**
   * Returns what names another server of the command. Only the same servers, which may have a port
   * for each protocol, get the token or a certificate of the client: another port of a host may be
   * another user's server.
   *
   * @param ownToken a file with the token for that address; null if it has none of its own
   */
  ServerArguments elsewhere(String address, @Nullable Path ownToken) {
    FileAddress other;
    try {
      other = FileAddress.parse(address);
      Servers unused = Servers.of(other.servers(Protocol.HTTP));
    } catch (IllegalArgumentException e) {
      throw wrongUse(String.valueOf(e.getMessage()), e);
    }
    FileAddress.Scheme scheme = other.scheme();
    if (options.tls() && scheme == FileAddress.Scheme.HTTP) {
      throw wrongUse("--tls: write https:// in " + address);
    }
    boolean same =
        base().equals(other.base())
            && other.servers(Protocol.HTTP).stream().allMatch(this::isOneOfThese);
    boolean tls = scheme.tls() || options.tls();
    return new ServerArguments(new ServerOptions(options, same, tls, ownToken), other);
  }

  ServerOptions options() {
    return options;
  }

  /** Whether the command names its server. */
  boolean namesServer() {
    return given != null || options.namesServer();
  }

  /** Whether the server is called over TLS. */
  boolean isTls() {
    return options.tls() || (given != null && given.scheme().tls());
  }

  /** Returns the client that is called for; null if the server decides. */
  @Nullable CarrierChoice client() {
    CarrierChoice chosen = options.client();
    try {
      FileAddress address = address();
      if (address.scheme().isHttp()) {
        return CarrierChoice.HTTP;
      }
      return chosen == null && address.protocol() == Protocol.GRPC ? CarrierChoice.GRPC : chosen;
    } catch (IllegalArgumentException e) {
      // Whoever connects says so.
      return chosen;
    }
  }

  /** Returns the servers with the ports to use. */
  Servers servers(Protocol protocol) {
    try {
      return Servers.of(address().servers(protocol), address().base());
    } catch (IllegalArgumentException e) {
      throw wrongUse("--server: " + e.getMessage(), e);
    }
  }

  private FileAddress address() {
    return given == null ? options.address() : given;
  }

  /** The base path in the address of the server; empty if there is none. */
  private String base() {
    return given == null ? "" : given.base();
  }

  /** Whether others name one of these servers, as far as their addresses show it. */
  boolean isSameServer(ServerArguments others) {
    return base().equals(others.base())
        && others.servers(Protocol.HTTP).addresses().stream().anyMatch(this::isOneOfThese);
  }

  private boolean isOneOfThese(Servers.Address other) {
    return servers(Protocol.HTTP).addresses().stream()
        .anyMatch(
            address ->
                address.host().equalsIgnoreCase(other.host())
                    && (address.port() == other.port()
                        || (isDefault(address.port()) && isDefault(other.port()))));
  }

  private static boolean isDefault(int port) {
    return port == Protocol.GRPC.defaultPort() || port == Protocol.HTTP.defaultPort();
  }

  /**
   * Returns the path of an argument, which may be an address of the server as well. All addresses
   * of a command are on one server. The path of the root is empty, and an empty argument refused.
   */
  String path(String argument) {
    if (argument.isEmpty()) {
      throw wrongUse(PathConverter.EMPTY + "; write '/' for the folder that is served");
    }
    if (!FileAddress.isAddress(argument)) {
      plainPath = given == null;
      // The root of a store is the folder that is served, as in the rules of users.
      return argument.replaceFirst("^/+", "");
    }
    FileAddress address;
    try {
      address = FileAddress.parse(argument);
    } catch (IllegalArgumentException e) {
      throw wrongUse(String.valueOf(e.getMessage()), e);
    }
    if (plainPath) {
      throw wrongUse(
          argument + ": names a server, and the path before does not; write both in the same way");
    }
    if (given == null) {
      use(address, argument);
    } else if (!given.hasServerOf(address)) {
      throw wrongUse(argument + ": is on another server than the argument before");
    }
    return address.path();
  }

  /** Returns the path of an argument as a pattern, in which a backslash makes a character plain. */
  String pattern(String argument) {
    String path = path(argument);
    String pattern = FileAddress.isAddress(argument) ? FileAddress.parse(argument).pattern() : path;
    return pattern.endsWith("/") ? pattern.substring(0, pattern.length() - 1) : pattern;
  }

  private void use(FileAddress address, String argument) {
    given = address;
    options.requireFit(address, argument);
    CarrierChoice client = client();
    try {
      Protocol protocol = client == null ? Protocol.HTTP : client.protocol();
      Servers unused = Servers.of(address.servers(protocol), address.base());
    } catch (IllegalArgumentException e) {
      throw wrongUse(argument + ": " + e.getMessage(), e);
    }
  }

  /** Parses the path of a file, or its address, before any request is sent. */
  StorePath filePath(String text) {
    String path = path(text);
    if (path.isEmpty()) {
      throw wrongUse(text + ": is the root folder; name a file in it");
    }
    if (path.endsWith("/")) {
      throw wrongUse(text + ": is a folder, as its '/' says; name a file in it");
    }
    return storePath(path);
  }

  /** Parses the path of a file or of a directory that is not the root, or its address. */
  StorePath nonRootPath(String text) {
    StorePath path = directoryPath(text);
    if (path.equals(StorePath.ROOT)) {
      throw wrongUse(text + ": is the root folder; name what is in it");
    }
    return path;
  }

  /** Parses the path of a local file or folder. An empty one, as of an unset variable, is none. */
  public Path localPath(String text) {
    try {
      return new PathConverter().convert(text);
    } catch (TypeConversionException e) {
      throw wrongUse(String.valueOf(e.getMessage()), e);
    }
  }

  /** Parses the path of a directory, or its address, with or without a trailing {@code /}. */
  public StorePath directoryPath(String text) {
    return storePath(path(text));
  }

  /** Parses a path without a server in the same way. */
  public StorePath storePath(String path) {
    try {
      return StorePath.parseDirectory(
          path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    } catch (FerryException e) {
      throw wrongUse(String.valueOf(e.getMessage()), e);
    }
  }

  public ParameterException wrongUse(String message) {
    return options.wrongUse(message);
  }

  ParameterException wrongUse(String message, Exception cause) {
    return options.wrongUse(message, cause);
  }
}
