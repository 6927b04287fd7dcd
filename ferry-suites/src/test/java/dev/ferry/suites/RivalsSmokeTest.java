package dev.ferry.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.lab.Bench;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.run.Cancellation;
import dev.ferry.lab.run.RunListener;
import dev.ferry.lab.run.jvm.Jvms;
import dev.ferry.lab.suite.RowFilter;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.suites.file.FileTransferSuite;
import dev.ferry.suites.rival.ccore.CCore;
import dev.ferry.suites.rival.nginx.NginxServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Runs rows of tables on request through the lab, forks and all: EveryRowTest has the others. */
@EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
final class RivalsSmokeTest {
  private static final List<Suite> SUITES = List.of(new FileTransferSuite());

  @TempDir Path folder;

  @Test
  void downloads_compressed_rivalsKeepTheirPromises() throws Exception {
    List<String> filters = new ArrayList<>();
    for (String method : List.of("ZeroCopyIntel", "GrpcStock", "HttpClientTuned", "NginxCurl")) {
      filters.add("table=rivals-download,BufferSize=65536,UseCompression=true,method=" + method);
    }
    filters.add("table=c-core-download,BufferSize=65536,UseCompression=true,method=ZeroCopy");

    RunDocument run = run(filters);

    List<Row> rivals = rows(run, "rivals-download");
    assertThat(rivals)
        .extracting(Row::method)
        .containsExactly(
            "ZeroCopyIntel", "GrpcStock", "HttpClient", "HttpClientTuned", "NginxCurl");
    assertThat(rivals).allSatisfy(RivalsSmokeTest::kept);
    assertThat(row(rivals, "HttpClientTuned").setup().flags())
        .containsExactly("-Djdk.httpclient.bufsize=262144");
    assertThat(row(rivals, "HttpClient").setup().flags()).isEmpty();
    assertThat(row(rivals, "GrpcStock").setup().codec()).endsWith("level 6");
    assertThat(row(rivals, "HttpClient").setup().codec()).isEqualTo("java.util.zip, gzip level 1");
    assertThat(row(rivals, "ZeroCopyIntel").setup().codec())
        .isEqualTo("Intel GKL 0.9.1, gzip level 1");

    List<Row> besideCCore = rows(run, "c-core-download");
    assertThat(besideCCore).extracting(Row::method).containsExactly("RentedArray", "ZeroCopy");
    assertThat(besideCCore).allSatisfy(RivalsSmokeTest::kept);
    assertThat(row(besideCCore, "ZeroCopy").server()).isNotNull();
    assertThat(row(besideCCore, "RentedArray").setup().codec())
        .isEqualTo("zlib in the C core through Python, gzip level 6");
    assertThat(row(besideCCore, "RentedArray").bound().ceiling()).isNull();
  }

  private static List<Row> rows(RunDocument run, String table) {
    return run.rows().stream().filter(r -> r.key().table().equals(table)).toList();
  }

  private static Row row(List<Row> rows, String method) {
    return rows.stream().filter(r -> r.method().equals(method)).findFirst().orElseThrow();
  }

  private static void kept(Row row) {
    boolean besideCCore = row.key().table().startsWith("c-core-");
    boolean cCore = besideCCore && !row.method().equals("ZeroCopy");
    boolean nginx = row.method().equals("NginxCurl");
    boolean foreign = nginx || cCore;
    if (cCore && CCore.obstacle().isPresent()) {
      assertThat(row.status()).isEqualTo(Status.SKIPPED);
      assertThat(row.reason()).isEqualTo(CCore.HOW_TO_INSTALL);
      return;
    }
    if (nginx && !NginxServer.isInstalled()) {
      assertThat(row.status()).isEqualTo(Status.SKIPPED);
      assertThat(row.reason()).isEqualTo(NginxServer.HOW_TO_INSTALL);
      return;
    }
    if (row.setup().codec().startsWith(CompressionCodec.GZIP_INTEL.label())
        && !CompressionCodec.GZIP_INTEL.available()) {
      assertThat(row.status()).isEqualTo(Status.SKIPPED);
      assertThat(row.reason()).isEqualTo(CompressionCodec.GZIP_INTEL.obstacle().orElseThrow());
      return;
    }
    assertThat(row.reason()).as(row.method()).isNull();
    assertThat(row.status()).isEqualTo(Status.OK);
    assertThat(row.memory().allocatedBytes() == null).isEqualTo(foreign);
    assertThat(row.cpu().millis() == null).isEqualTo(foreign);
    assertThat(row.setup().processes()).isEqualTo(foreign || besideCCore ? 2 : 1);
  }

  private RunDocument run(List<String> filters) throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "a line of text\n".repeat(200_000));
    Path work = Files.createDirectory(folder.resolve("work"));
    RunDocument run =
        new Bench(Clock.systemUTC())
            .run(
                SmokeRequests.of(
                    plan(filters), Jvms.DEFAULT, null, file, folder.resolve("run"), work, null),
                new RunListener() {},
                new Cancellation());
    assertThat(work).isEmptyDirectory();
    return run;
  }

  private static RunPlan plan(List<String> filters) throws LabException {
    List<RowFilter> parsed = new ArrayList<>();
    for (String filter : filters) {
      parsed.add(RowFilter.parse(filter, SUITES));
    }
    return RunPlan.of(SUITES, parsed);
  }
}
