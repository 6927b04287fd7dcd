package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.client.CarrierChoice;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The classes of the archive that the launcher uses. */
@Timeout(300)
@EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
final class TrainingRunTest {
  @TempDir Path folder;

  /** What takes long to load, and no command over HTTP needs. */
  private static final Pattern HEAVY =
      Pattern.compile(
          "(io\\.grpc|io\\.netty|com\\.google|org\\.slf4j)\\..*|.*\\.databind\\.ObjectMapper");

  /** Runs a program of this build in a JVM, and returns the classes that it loads. */
  private Set<String> loaded(String program, String... arguments) throws Exception {
    Path log = folder.resolve("log");
    Path output = folder.resolve("output");
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-D" + Main.COMMANDS_FILE + "=" + folder.resolve("commands"),
            "-Xlog:class+load:file=" + log + ":none:filecount=0",
            "-cp",
            System.getProperty("java.class.path"),
            program));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(output.toFile()))
            .start();
    try {
      assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue())
          .as("%s: %s", List.of(arguments), Files.readString(output))
          .isZero();
    } finally {
      process.destroyForcibly();
    }
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .map(line -> line.split(" ", 2)[0])
          .filter(name -> !name.contains("$$Lambda"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void main_commandsThatPeopleType_loadNoOtherClassOfFerry() throws Exception {
    Path training = Files.createDirectory(folder.resolve("training"));
    Set<String> archived =
        loaded(
            TrainingRun.class.getName(),
            training.toString(),
            folder.resolve("commands").toString());
    assertThat(archived)
        .contains("dev.ferry.http.internal.http1.TlsTransport", "sun.security.ssl.SSLEngineImpl");
    String file = Files.writeString(folder.resolve("file"), "content").toString();
    Path store = Files.createDirectories(folder.resolve("store/tree/below"));
    for (int i = 0; i < 20; i++) {
      Files.writeString(store.resolve("file" + i), "content");
    }
    Path root = folder.resolve("store");
    try (Servers servers = Servers.start(root)) {
      String url = "http://127.0.0.1:" + servers.port(CarrierChoice.HTTP) + "/files/";
      String copy = folder.resolve("copy").toString();
      for (String[] command :
          new String[][] {
            {"put", "-q", file, url + "sent"},
            {"get", "-q", url + "sent", folder.resolve("got").toString()},
            {"stat", url + "sent"},
            {"ls", url},
            {"get", "-r", "-q", url + "tree", copy},
            {"put", "-r", "-q", copy, url + "again"},
            {"sync", "-q", copy, url + "again"}
          }) {
        assertThat(loaded(Main.class.getName(), command))
            .as(String.join(" ", command))
            .contains("dev.ferry.http.internal.http1.Http1Carrier")
            .filteredOn(name -> name.startsWith("dev.ferry.") || HEAVY.matcher(name).matches())
            .isSubsetOf(archived)
            .noneMatch(name -> HEAVY.matcher(name).matches());
      }
    }
  }
}
