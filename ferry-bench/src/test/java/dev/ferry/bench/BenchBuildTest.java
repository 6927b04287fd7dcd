package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first {@code ./ferry bench} on a machine: Maven's repository has nothing of Ferry. It has the
 * libraries of the build that runs this test, so nothing is downloaded.
 */
@EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
final class BenchBuildTest {
  private static final Path SOURCES = Path.of("..").toAbsolutePath().normalize();
  private static final Set<String> NO_SOURCES =
      Set.of("target", ".git", "test", "results", "node_modules");
  private static final String GROUP = "dev";
  private static final String FERRY = "ferry";
  private static final int PATIENCE_MINUTES = 10;

  @TempDir Path folder;

  @Test
  @Timeout(value = PATIENCE_MINUTES, unit = TimeUnit.MINUTES)
  void bench_repositoryWithoutFerry_isBuiltFromItsSources() throws Exception {
    String libraries = System.getProperty("localRepository");
    assumeTrue(libraries != null, "it is not known which repository Maven has");
    assumeTrue(
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "mvn"))),
        "there is no mvn on the path");
    Path repository = Files.createDirectory(folder.resolve("repository"));
    link(Path.of(libraries), repository, GROUP);
    Path group = Files.createDirectory(repository.resolve(GROUP));
    link(Path.of(libraries, GROUP), group, FERRY);
    Path sources = folder.resolve("sources");
    copySources(sources);

    ProcessBuilder bench =
        new ProcessBuilder(sources.resolve(FERRY).toString(), "bench", "--list")
            .redirectErrorStream(true);
    Map<String, String> environment = bench.environment();
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("MAVEN_ARGS", "-o -Dmaven.repo.local=" + repository);
    environment.remove("FERRY_JAVA_OPTS");
    Process process = bench.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes());

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output)
        .contains("ferry: building 1 of ", " BufferSize=65536 ZeroCopy\n", "rows, profile default");
    assertThat(group.resolve(FERRY)).doesNotExist();
  }

  /** Links to all entries of a folder but one, if it exists. */
  private static void link(Path from, Path to, String without) throws IOException {
    if (Files.exists(from)) {
      try (Stream<Path> entries = Files.list(from)) {
        for (Path entry : entries.toList()) {
          if (!entry.endsWith(without)) {
            Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
          }
        }
      }
    }
  }

  private static void copySources(Path to) throws IOException {
    Files.walkFileTree(
        SOURCES,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            if (NO_SOURCES.contains(folder.getFileName().toString())) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(to.resolve(SOURCES.relativize(folder)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            // In a work tree of git, .git is a file.
            if (!NO_SOURCES.contains(file.getFileName().toString())) {
              Files.copy(
                  file, to.resolve(SOURCES.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
