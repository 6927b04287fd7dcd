package dev.ferry.library;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FerryVersion;
import dev.ferry.core.local.LocalFileStore;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs whose libraries are older than those that Ferry needs. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
final class LibraryVersionsTest {
  private static final Path OLDER = Path.of("target/older");
  private static final Pattern VERSION = Pattern.compile("-\\d.*");

  @TempDir Path root;
  @TempDir Path local;

  @ParameterizedTest
  @CsvSource({
    // The one of Spring Boot 3, which is new enough for a client over gRPC.
    "netty-, 'Netty \\S+ or newer, and this program has 4\\.1\\.\\S+', false",
    "protobuf-, 'protobuf-java \\S+ or newer, and this program has 4\\.30\\.\\S+', true",
    // The client finds this in a thread of grpc-java.
    "grpc-, 'grpc-java \\S+ or newer, and this program has grpc-core 1\\.71\\.\\S+', true"
  })
  void ends_withAnOlderLibrary_sayWhichOneTheyNeed(
      String prefix, String expected, boolean clientNeedsIt) throws Exception {
    List<String> printed;
    try (FerryServer server =
        FerryServer.builder(LocalFileStore.open(root)).grpcPort(0).httpPort(0).start()) {
      printed = run(prefix, server.address(Protocol.HTTP), server.address(Protocol.GRPC));
    }

    String sentence =
        "Ferry needs %s: import the BOM dev\\.ferry:ferry-bom:%s before other BOMs"
            .formatted(expected, Pattern.quote(FerryVersion.current().version()));
    assertThat(printed).hasSize(3);
    assertThat(printed.get(0)).matches("server: INTERNAL " + sentence);
    assertThat(printed.get(1)).matches(clientNeedsIt ? "grpc: INTERNAL " + sentence : "grpc: sent");
    // It uses none of these.
    assertThat(printed.get(2)).isEqualTo("http: sent");
    if (clientNeedsIt) {
      assertThat(root.resolve("grpc")).doesNotExist();
    } else {
      assertThat(root.resolve("grpc")).hasContent("hello");
    }
    assertThat(root.resolve("http")).hasContent("hello");
  }

  private List<String> run(String prefix, String http, String grpc) throws Exception {
    Path errors = local.resolve("errors");
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(prefix),
                BothEnds.class.getName(),
                local.toString(),
                http,
                grpc)
            .redirectError(errors.toFile())
            .start();
    try {
      String output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(program.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(program.exitValue()).as(Files.readString(errors)).isZero();
      return output.lines().toList();
    } finally {
      program.destroyForcibly();
    }
  }

  /** Returns the class path of these tests with older jars in place of their own. */
  private static String classPath(String prefix) throws Exception {
    List<Path> older;
    try (Stream<Path> all = Files.list(OLDER)) {
      older = all.filter(jar -> jar.getFileName().toString().startsWith(prefix)).toList();
    }
    assertThat(older).isNotEmpty();
    Set<String> replaced =
        older.stream().map(LibraryVersionsTest::artifact).collect(Collectors.toSet());
    Stream<Path> others =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .filter(jar -> !replaced.contains(artifact(jar)));
    return Stream.concat(older.stream(), others)
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String artifact(Path jar) {
    return VERSION.matcher(jar.getFileName().toString()).replaceFirst("");
  }
}
