package dev.ferry.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Set;

/** The schemas of Kubernetes and of the Gateway API for the kinds of objects in {@code deploy}. */
final class KubernetesSchemas {
  /** The definitions of the schema. */
  private static final Map<String, String> DEFINITIONS =
      Map.of(
          "apps/v1 Deployment", "io.k8s.api.apps.v1.Deployment",
          "v1 Service", "io.k8s.api.core.v1.Service",
          "v1 ConfigMap", "io.k8s.api.core.v1.ConfigMap",
          "v1 Secret", "io.k8s.api.core.v1.Secret",
          "v1 PersistentVolumeClaim", "io.k8s.api.core.v1.PersistentVolumeClaim",
          "policy/v1 PodDisruptionBudget", "io.k8s.api.policy.v1.PodDisruptionBudget",
          "autoscaling/v2 HorizontalPodAutoscaler",
              "io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler",
          "networking.k8s.io/v1 NetworkPolicy", "io.k8s.api.networking.v1.NetworkPolicy",
          "gateway.networking.k8s.io/v1 Gateway", "io.k8s.networking.gateway.v1.Gateway",
          "gateway.networking.k8s.io/v1 TLSRoute", "io.k8s.networking.gateway.v1.TLSRoute");

  /** A schema for the kind of a document. */
  private static JsonNode schema(JsonNode document) throws IOException {
    String kind = document.path("apiVersion").asText() + " " + Manifests.kind(document);
    String file =
        kind.startsWith("gateway.") ? "gateway-1.5.schema.json" : "kubernetes-1.32.schema.json";
    try (InputStream in = KubernetesSchemas.class.getResourceAsStream(file)) {
      ObjectNode schema = (ObjectNode) new JsonMapper().readTree(in);
      assertThat(DEFINITIONS).containsKey(kind);
      return schema.put("$ref", "#/definitions/" + DEFINITIONS.get(kind));
    }
  }

  private KubernetesSchemas() {}

  /** Where a document breaks the schema of its kind. */
  static Set<ValidationMessage> violations(JsonNode document) throws IOException {
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7)
        .getSchema(schema(document))
        .validate(document);
  }
}
