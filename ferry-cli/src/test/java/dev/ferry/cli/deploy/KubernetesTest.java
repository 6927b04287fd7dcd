package dev.ferry.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ferry.cli.Main;
import dev.ferry.cli.program.TimeConverter;
import dev.ferry.core.FerryVersion;
import dev.ferry.library.Protocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The manifests of {@code deploy}, against the schemas of Kubernetes and against Ferry itself. */
final class KubernetesTest {
  private static void assertConforms(JsonNode document) throws IOException {
    assertThat(KubernetesSchemas.violations(document)).as(document.toString()).isEmpty();
  }

  @Test
  void files_asTheyStand_conformToTheSchemas() throws Exception {
    List<JsonNode> documents = Manifests.all();
    assertThat(documents).hasSizeGreaterThanOrEqualTo(10);
    for (JsonNode document : documents) {
      assertConforms(document);
    }
  }

  @Test
  void schemas_ofAMistypedField_refuseIt() throws Exception {
    JsonNode service =
        Manifests.parse("{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {port: 1}}")
            .get(0);
    assertThat(KubernetesSchemas.violations(service)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes/overlays/s3",
        "kubernetes/overlays/local",
        "kubernetes/overlays/mesh",
        "kubernetes/overlays/gateway"
      })
  void rendered_fitsTheSchemasAndFerry(String folder) throws Exception {
    assumeTrue(Manifests.canRender(), "skipped: install kubectl");
    List<JsonNode> documents = Manifests.render(folder);
    for (JsonNode document : documents) {
      assertConforms(document);
    }
    List<JsonNode> pods =
        documents.stream().filter(d -> d.at("/spec/template").isObject()).toList();
    assertThat(pods).hasSize(1);
    JsonNode pod = pods.get(0).at("/spec/template");
    assertSafe(pod.path("spec"));
    assertNamesExist(pod, documents);
    assertFerryTakes(pod.at("/spec/containers/0"), documents);
    assertPortsExist(pod, documents);
    assertDrainsInTime(pod.path("spec"), documents);
    assertSelects(pods.get(0), documents);
    assertStarts(pod.at("/spec/containers/0"), configuration(documents).getOrDefault("STORE", ""));
    assertLeadsToServices(documents);
  }

  @Test
  void overlay_ofTheReadme_namesTheRegistryAndTheStore(@TempDir Path copy) throws Exception {
    assumeTrue(Manifests.canRender(), "skipped: install kubectl");
    Matcher overlay =
        Pattern.compile("```yaml\n(.+?)```", Pattern.DOTALL)
            .matcher(Files.readString(Manifests.DEPLOY.resolve("README.md")));
    assertThat(overlay.find()).isTrue();
    Path kubernetes = Manifests.DEPLOY.resolve("kubernetes");
    try (Stream<Path> all = Files.walk(kubernetes)) {
      for (Path path : all.toList()) {
        Files.copy(path, copy.resolve("kubernetes").resolve(kubernetes.relativize(path)));
      }
    }
    Path site = Files.createDirectory(copy.resolve("kubernetes/site"));
    Files.writeString(site.resolve("kustomization.yaml"), overlay.group(1));

    List<JsonNode> documents = Manifests.render(site.toString());

    assertThat(documents)
        .filteredOn(document -> Manifests.kind(document).equals("Deployment"))
        .singleElement()
        .extracting(pod -> pod.at("/spec/template/spec/containers/0/image").asText())
        .isEqualTo("registry.example.org/ferry-s3:" + FerryVersion.current().version());
    assertThat(configuration(documents)).containsEntry("STORE", "s3://BUCKET/PREFIX");
  }

  /**
   * The image is of this version and can serve the store, and the JVM prints nothing of its own.
   */
  private static void assertStarts(JsonNode container, String store) throws IOException {
    String image = store.startsWith("s3://") ? "ferry-s3" : "ferry";
    assertThat(container.path("image").asText())
        .isEqualTo(image + ":" + FerryVersion.current().version());
    assertThat(Files.readString(Path.of("../packaging/image.sh"))).contains("name=" + image + "\n");
    assertThat(container.path("env").findValuesAsText("name"))
        .doesNotContain("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");
  }

  /** Each route is of a listener of the Gateway, and leads to a port of a Service. */
  private static void assertLeadsToServices(List<JsonNode> documents) {
    Set<String> listeners = new TreeSet<>();
    Set<String> services = new TreeSet<>();
    for (JsonNode document : documents) {
      if (Manifests.kind(document).equals("Gateway")) {
        for (JsonNode listener : document.at("/spec/listeners")) {
          assertThat(listener.at("/tls/mode").asText()).isEqualTo("Passthrough");
          listeners.add(
              Manifests.name(document)
                  + " "
                  + listener.path("name").asText()
                  + " "
                  + listener.path("hostname").asText());
        }
      } else if (Manifests.kind(document).equals("Service")) {
        for (JsonNode port : document.at("/spec/ports")) {
          services.add(
              port.path("name").asText()
                  + " "
                  + Manifests.name(document)
                  + ":"
                  + port.path("port").asInt());
        }
      }
    }
    Set<String> routed = new TreeSet<>();
    for (JsonNode document : documents) {
      if (Manifests.kind(document).equals("TLSRoute")) {
        JsonNode parent = document.at("/spec/parentRefs/0");
        JsonNode to = document.at("/spec/rules/0/backendRefs/0");
        routed.add(
            parent.path("name").asText()
                + " "
                + parent.path("sectionName").asText()
                + " "
                + document.at("/spec/hostnames/0").asText());
        assertThat(services)
            .contains(
                parent.path("sectionName").asText()
                    + " "
                    + to.path("name").asText()
                    + ":"
                    + to.path("port").asInt());
      }
    }
    assertThat(routed).isEqualTo(listeners);
  }

  private static void assertSafe(JsonNode pod) {
    assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
    assertThat(pod.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
    assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
    assertThat(pod.path("enableServiceLinks").asBoolean(true)).isFalse();
    assertThat(pod.path("containers")).hasSize(1);
    JsonNode container = pod.at("/containers/0");
    JsonNode context = container.path("securityContext");
    assertThat(context.path("readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(context.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(context.at("/capabilities/drop").toString()).isEqualTo("[\"ALL\"]");
  }

  /** Every object and every key that a pod names is there, and each mount has a volume. */
  private static void assertNamesExist(JsonNode pod, List<JsonNode> documents) throws Exception {
    Set<String> there = new HashSet<>();
    List<JsonNode> objects = new ArrayList<>(documents);
    objects.addAll(
        Manifests.all().stream().filter(d -> Manifests.kind(d).equals("Secret")).toList());
    for (JsonNode object : objects) {
      String id = Manifests.kind(object) + " " + Manifests.name(object);
      there.add(id);
      object.path("data").fieldNames().forEachRemaining(key -> there.add(id + " " + key));
      object.path("stringData").fieldNames().forEachRemaining(key -> there.add(id + " " + key));
    }
    Set<String> named = new TreeSet<>();
    Set<String> volumes = new TreeSet<>();
    for (JsonNode volume : pod.at("/spec/volumes")) {
      volumes.add(volume.path("name").asText());
      if (volume.has("secret")) {
        named.add("Secret " + volume.at("/secret/secretName").asText());
        for (JsonNode item : volume.at("/secret/items")) {
          named.add(
              "Secret "
                  + volume.at("/secret/secretName").asText()
                  + " "
                  + item.path("key").asText());
        }
      } else if (volume.has("configMap")) {
        named.add("ConfigMap " + volume.at("/configMap/name").asText());
      } else if (volume.has("persistentVolumeClaim")) {
        named.add(
            "PersistentVolumeClaim " + volume.at("/persistentVolumeClaim/claimName").asText());
      }
    }
    JsonNode container = pod.at("/spec/containers/0");
    for (JsonNode from : container.path("envFrom")) {
      named.add(
          from.has("secretRef")
              ? "Secret " + from.at("/secretRef/name").asText()
              : "ConfigMap " + from.at("/configMapRef/name").asText());
    }
    for (JsonNode ref : container.findValues("secretKeyRef")) {
      named.add("Secret " + ref.path("name").asText() + " " + ref.path("key").asText());
    }
    assertThat(there).containsAll(named);
    List<String> mounts = new ArrayList<>();
    for (JsonNode mount : container.path("volumeMounts")) {
      mounts.add(mount.path("name").asText());
    }
    assertThat(mounts).containsExactlyInAnyOrderElementsOf(volumes);
    for (JsonNode arg : container.path("args")) {
      String file = arg.asText().replaceFirst("^--[a-z-]+=", "");
      if (file.startsWith("/")) {
        assertThat(container.path("volumeMounts"))
            .anyMatch(mount -> file.startsWith(mount.path("mountPath").asText() + "/"));
      }
    }
  }

  private static Map<String, String> configuration(List<JsonNode> documents) {
    Map<String, String> values = new TreeMap<>();
    for (JsonNode document : documents) {
      if (Manifests.kind(document).equals("ConfigMap")) {
        document
            .path("data")
            .properties()
            .forEach(e -> values.put(e.getKey(), e.getValue().asText()));
      }
    }
    return values;
  }

  /** The arguments and the variables of a container are options of Ferry with values it takes. */
  private static void assertFerryTakes(JsonNode container, List<JsonNode> documents) {
    Map<String, String> values = configuration(documents);
    List<String> line = new ArrayList<>();
    for (JsonNode arg : container.path("args")) {
      String text = arg.asText();
      for (Map.Entry<String, String> value : values.entrySet()) {
        text = text.replace("$(" + value.getKey() + ")", value.getValue());
      }
      assertThat(text).doesNotContain("$");
      line.add(text);
    }
    CommandLine ferry = new Main().commandLine();
    CommandLine command = Objects.requireNonNull(ferry.getSubcommands().get(line.get(0)));
    values.forEach(
        (key, value) -> {
          if (key.startsWith("FERRY_")) {
            String option = key.substring("FERRY_".length()).toLowerCase(Locale.ROOT);
            line.add("--" + option.replace('_', '-') + "=" + value);
          }
        });
    // A build without object stores does not have their options.
    if (!command.getCommandSpec().optionsMap().containsKey("--s3-endpoint")) {
      line.removeIf(arg -> arg.startsWith("--s3-"));
    }
    assertThat(ferry.parseArgs(line.toArray(String[]::new)).hasSubcommand()).isTrue();
  }

  private static Map<String, Integer> ports(JsonNode container) {
    Map<String, Integer> ports = new TreeMap<>();
    for (JsonNode port : container.path("ports")) {
      ports.put(port.path("name").asText(), port.path("containerPort").asInt());
    }
    return ports;
  }

  private static void assertPortsExist(JsonNode pod, List<JsonNode> documents) {
    JsonNode container = pod.at("/spec/containers/0");
    Map<String, Integer> ports = ports(container);
    assertThat(ports)
        .containsEntry("grpc", Protocol.GRPC_PORT)
        .containsEntry("http", Protocol.HTTP_PORT)
        .hasSize(3);
    String admin = ":" + ports.get("admin");
    assertThat(container.path("args"))
        .anyMatch(arg -> arg.asText().startsWith("--admin=") && arg.asText().endsWith(admin));
    assertThat(pod.at("/metadata/annotations").path("prometheus.io/port").asText())
        .isEqualTo(String.valueOf(ports.get("admin")));
    assertThat(pod.at("/metadata/annotations").path("prometheus.io/path").asText())
        .isEqualTo("/metrics");
    assertThat(container.findValues("httpGet"))
        .hasSize(3)
        .allSatisfy(
            get -> {
              assertThat(get.path("port").asText()).isEqualTo("admin");
              assertThat(get.path("path").asText()).isIn("/live", "/ready");
            });
    for (JsonNode document : documents) {
      document.findValues("targetPort").forEach(p -> assertThat(ports).containsKey(p.asText()));
      if (Manifests.kind(document).equals("NetworkPolicy")) {
        document.findValues("port").forEach(p -> assertThat(ports).containsKey(p.asText()));
      }
    }
  }

  private static void assertDrainsInTime(JsonNode pod, List<JsonNode> documents) {
    String drain = configuration(documents).getOrDefault("FERRY_DRAIN", "");
    long before = pod.at("/containers/0/lifecycle/preStop/sleep/seconds").asLong();
    assertThat(before).isPositive();
    assertThat(pod.path("terminationGracePeriodSeconds").asLong())
        .isGreaterThan(before + new TimeConverter().convert(drain).toSeconds());
  }

  /** Everything that selects pods selects those of the deployment, and what scales scales it. */
  private static void assertSelects(JsonNode deployment, List<JsonNode> documents) {
    JsonNode labels = deployment.at("/spec/template/metadata/labels");
    assertThat(deployment.at("/spec/selector/matchLabels")).isEqualTo(labels);
    for (JsonNode document : documents) {
      JsonNode spec = document.path("spec");
      switch (Manifests.kind(document)) {
        case "Service" -> assertThat(spec.path("selector")).isEqualTo(labels);
        case "PodDisruptionBudget" ->
            assertThat(spec.at("/selector/matchLabels")).isEqualTo(labels);
        case "NetworkPolicy" -> assertThat(spec.at("/podSelector/matchLabels")).isEqualTo(labels);
        case "HorizontalPodAutoscaler" -> {
          assertThat(spec.at("/scaleTargetRef/name").asText())
              .isEqualTo(Manifests.name(deployment));
          assertThat(deployment.at("/spec/replicas").isMissingNode()).isTrue();
        }
        default -> {}
      }
    }
  }
}
