package dev.ferry.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads the manifests of {@code deploy}. */
final class Manifests {
  static final Path DEPLOY = Path.of("../deploy");

  private static final JsonMapper JSON = new JsonMapper();

  private Manifests() {}

  /** The documents of a text in YAML. */
  static List<JsonNode> parse(String yaml) {
    List<JsonNode> documents = new ArrayList<>();
    for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml)) {
      documents.add(JSON.valueToTree(document));
    }
    return documents;
  }

  /** The documents of all files below {@code deploy} that are no input of a tool. */
  static List<JsonNode> all() throws IOException {
    List<JsonNode> documents = new ArrayList<>();
    try (Stream<Path> files = Files.walk(DEPLOY)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".yaml")).sorted().toList()) {
        documents.addAll(parse(Files.readString(file)));
      }
    }
    return documents.stream()
        .filter(document -> document.has("kind") && !kind(document).equals("Kustomization"))
        .toList();
  }

  /** Whether {@link #render} can. */
  static boolean canRender() throws InterruptedException {
    try {
      return new ProcessBuilder("kubectl", "kustomize", "--help")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      // There is no kubectl.
      return false;
    }
  }

  /** What kustomize makes of a folder of {@code deploy}. */
  static List<JsonNode> render(String folder) throws Exception {
    Process kustomize =
        new ProcessBuilder("kubectl", "kustomize", DEPLOY.resolve(folder).toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String yaml = new String(kustomize.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(kustomize.waitFor()).isZero();
    return parse(yaml);
  }

  static String kind(JsonNode document) {
    return document.path("kind").asText();
  }

  static String name(JsonNode document) {
    return document.path("metadata").path("name").asText();
  }
}
