package dev.ferry.core.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FerryVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor.Version;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The libraries of others that Ferry links with. A program may have other versions of them than
 * Ferry was built for, because its other dependencies ask for them, too. The JVM then says which
 * class or method is missing, but not what to do about it.
 */
public enum Library {
  NETTY(
      "Netty",
      true,
      "io.netty",
      "io.netty.",
      Map.of(
          "netty-common", "io.netty.util.AttributeKey",
          "netty-buffer", "io.netty.buffer.ByteBuf",
          "netty-transport", "io.netty.channel.Channel",
          "netty-transport-classes-epoll", "io.netty.channel.epoll.Epoll",
          "netty-handler", "io.netty.handler.ssl.SslHandler",
          "netty-codec-http", "io.netty.handler.codec.http.HttpRequest",
          "netty-codec-http2", "io.netty.handler.codec.http2.Http2Frame")),
  GRPC(
      "grpc-java",
      true,
      "io.grpc",
      "io.grpc.",
      Map.of(
          "grpc-api", "io.grpc.Status",
          "grpc-core", "io.grpc.internal.GrpcUtil",
          "grpc-stub", "io.grpc.stub.StreamObserver",
          "grpc-protobuf", "io.grpc.protobuf.ProtoUtils",
          "grpc-services", "io.grpc.health.v1.HealthCheckRequest",
          "grpc-netty", "io.grpc.netty.NettyChannelBuilder")),
  PROTOBUF(
      "protobuf-java",
      true,
      "com.google.protobuf",
      "com.google.protobuf.",
      Map.of("protobuf-java", "com.google.protobuf.ByteString")),
  JACKSON(
      "Jackson",
      false,
      "com.fasterxml.jackson.core",
      "com.fasterxml.jackson.",
      Map.of(
          "jackson-core", "com.fasterxml.jackson.core.JsonFactory",
          "jackson-databind", "com.fasterxml.jackson.databind.ObjectMapper")),
  GUAVA(
      "Guava",
      false,
      "com.google.guava",
      "com.google.common.",
      Map.of("guava", "com.google.common.util.concurrent.MoreExecutors")),
  /** For the store on S3. Programs without it do not have this one. */
  AWS_SDK(
      "the AWS SDK",
      false,
      "software.amazon.awssdk",
      "software.amazon.awssdk.",
      Map.of(
          "sdk-core", "software.amazon.awssdk.core.SdkClient",
          "aws-core", "software.amazon.awssdk.awscore.AwsClient",
          "apache5-client", "software.amazon.awssdk.http.apache5.Apache5HttpClient",
          "s3", "software.amazon.awssdk.services.s3.S3Client"));

  private static final String FERRY = "dev.ferry.";
  private static final String VERSIONS = "libraries.properties";

  private static final ClassLoader LOADER = Objects.requireNonNull(Library.class.getClassLoader());

  private static final String MISSING = "missing";
  private static final String UNKNOWN = "unknown";
  private static final int LONGEST_CHAIN = 20;

  private final String title;
  private final boolean inBom;
  private final String group;
  private final Pattern packages;

  /** A class of each artifact, which all of its versions have. */
  private final SortedMap<String, String> artifacts;

  Library(
      String title, boolean inBom, String group, String packages, Map<String, String> artifacts) {
    this.title = title;
    this.inBom = inBom;
    this.group = group;
    // Messages of the JVM have dots or slashes.
    this.packages = Pattern.compile("(?<![\\w./])" + packages.replace(".", "[./]"));
    this.artifacts = new TreeMap<>(artifacts);
  }

  /** An artifact as the program has it. */
  private record Found(String artifact, String version) {
    boolean isMissing() {
      return version.equals(MISSING);
    }

    boolean isOlder(String needed) {
      try {
        return Version.parse(version).compareTo(Version.parse(needed)) < 0;
      } catch (IllegalArgumentException e) {
        return false;
      }
    }

    @Override
    public String toString() {
      return isMissing() ? "no " + artifact : artifact + " " + version;
    }
  }

  /**
   * Refuses a program that lacks an artifact of a library that {@code ferry-bom} manages, or has an
   * older version of one than of others: what is used late would fail to link then, in requests.
   */
  public static void requireWhole() throws FerryException {
    for (Library library : values()) {
      if (!library.inBom) {
        continue;
      }
      List<Found> found = library.found();
      List<Found> unfit = library.unfit(found);
      if (!unfit.isEmpty() && !isUniform(found)) {
        throw new FerryException(ErrorKind.INTERNAL, library.complaint(found, unfit));
      }
    }
  }

  /** Returns the failure of a call in which something did not link. */
  public static FerryException failure(LinkageError error) {
    return new FerryException(ErrorKind.INTERNAL, reason(error).orElseGet(error::toString), error);
  }

  /**
   * Returns a sentence for people if a failure is due to a library that does not fit: which one,
   * its version, the version that Ferry needs, and the remedy. Empty for other failures.
   */
  public static Optional<String> reason(Throwable failure) {
    List<Throwable> chain = new ArrayList<>();
    for (Throwable t = failure; t != null && chain.size() < LONGEST_CHAIN; t = t.getCause()) {
      chain.add(t);
    }
    if (chain.stream().noneMatch(LinkageError.class::isInstance)) {
      return Optional.empty();
    }
    String text = chain.stream().map(Throwable::toString).collect(Collectors.joining("\n"));
    List<Library> named = Stream.of(values()).filter(l -> l.packages.matcher(text).find()).toList();
    boolean guess = isNamelessWithin(chain.get(chain.size() - 1));
    for (Library library : named.isEmpty() && guess ? List.of(values()) : named) {
      List<Found> found = library.found();
      List<Found> unfit = library.unfit(found);
      if (!unfit.isEmpty() && !(guess && found.stream().allMatch(Found::isMissing))) {
        return Optional.of(library.complaint(found, unfit));
      }
    }
    return Optional.empty();
  }

  /** Returns whether an error names no class, and code of Ferry or of a library caused it. */
  private static boolean isNamelessWithin(Throwable error) {
    StackTraceElement[] stack = error.getStackTrace();
    String thrower = stack.length == 0 ? "" : stack[0].getClassName();
    // Before JDK 21, the message is the name of the field.
    return error instanceof NoSuchFieldError
        && (thrower.startsWith(FERRY)
            || Stream.of(values()).anyMatch(l -> l.packages.matcher(thrower).lookingAt()));
  }

  private List<Found> found() {
    return artifacts.entrySet().stream()
        .map(entry -> new Found(entry.getKey(), version(entry.getKey(), entry.getValue())))
        .toList();
  }

  private String version(String artifact, String type) {
    URL url = LOADER.getResource(file(type));
    if (url == null) {
      // A native image has no files of classes, neither of this one.
      return LOADER.getResource(file(Library.class.getName())) == null ? UNKNOWN : MISSING;
    }
    Matcher jar = Pattern.compile("/" + artifact + "-(\\d[^/]*)\\.jar!/").matcher(url.toString());
    // In a jar of the whole program, the build may have left this.
    String maven = "META-INF/maven/" + group + "/" + artifact + "/pom.properties";
    return jar.find()
        ? jar.group(1)
        : properties(LOADER.getResource(maven)).getProperty("version", UNKNOWN);
  }

  private static String file(String type) {
    return type.replace('.', '/') + ".class";
  }

  private static Properties properties(@Nullable URL url) {
    Properties properties = new Properties();
    if (url != null) {
      try (InputStream in = url.openStream()) {
        properties.load(in);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return properties;
  }

  private String needed() {
    return properties(Library.class.getResource(VERSIONS)).getProperty(name(), UNKNOWN);
  }

  /** Returns the artifacts that are missing, or older than those that Ferry was built for. */
  private List<Found> unfit(List<Found> found) {
    String needed = needed();
    return found.stream().filter(f -> f.isMissing() || f.isOlder(needed)).toList();
  }

  private static boolean isUniform(List<Found> found) {
    String first = found.get(0).version();
    return found.stream().allMatch(f -> !f.isMissing() && f.version().equals(first));
  }

  private String complaint(List<Found> found, List<Found> unfit) {
    String has =
        isUniform(found)
            ? found.get(0).version()
            : unfit.stream().map(Found::toString).collect(Collectors.joining(", "));
    String needed = needed();
    String remedy =
        inBom && unfit.stream().noneMatch(Found::isMissing)
            ? "import the BOM dev.ferry:ferry-bom:%s before other BOMs"
                .formatted(FerryVersion.current().version())
            : "depend on %s:%s:%s".formatted(group, unfit.get(0).artifact(), needed);
    return "Ferry needs %s %s or newer, and this program has %s: %s"
        .formatted(title, needed, has, remedy);
  }
}
