package dev.ferry.suites;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.ferry.lab.report.RunJson;
import java.io.IOException;
import java.io.InputStream;

/** Holds documents against the public schema. */
final class Schemas {
  private Schemas() {}

  static void assertConforms(String json) throws IOException {
    try (InputStream in = RunJson.class.getResourceAsStream("run.schema.json")) {
      JsonSchema schema =
          JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(in);
      assertThat(schema.validate(json, InputFormat.JSON)).isEmpty();
    }
  }
}
