package dev.ferry.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RowFilter;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Suites;
import dev.ferry.lab.suite.Table;
import dev.ferry.suites.file.AnswerSuite;
import dev.ferry.suites.file.FileTransferSuite;
import dev.ferry.suites.file.LocalCopySuite;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

final class PlanTest {
  private static final List<Suite> SUITES = List.of(new FileTransferSuite());
  private static final List<Suite> ANSWER = List.of(new AnswerSuite());
  private static final List<Suite> LOCAL = List.of(new LocalCopySuite());

  @Test
  void of_noFilter_keepsAllRowsOfTheReference() throws LabException {
    RunPlan plan = RunPlan.of(SUITES, List.of());

    assertThat(plan.size()).isEqualTo(48);
    assertThat(plan.groups()).hasSize(12);
    assertThat(plan.groups().get(0).rows())
        .extracting(RowKey::method)
        .containsExactly("Default", "RentedArray", "ZeroCopy", "HttpClient");
    assertThat(plan.groups().get(1).rows().get(0).setting())
        .isEqualTo("BufferSize=4096, UseCompression=true");
  }

  @Test
  void of_everyRow_hasAFileNameOfItsOwn() throws LabException {
    RunPlan plan = RunPlan.of(SUITES, List.of());
    List<String> names =
        plan.groups().stream().flatMap(g -> g.rows().stream()).map(RowKey::fileName).toList();

    assertThat(names).doesNotHaveDuplicates().allMatch(n -> n.matches("[a-z0-9.-]+"));
  }

  @Test
  void of_filter_keepsItsRowsAndTheirBaseline() throws LabException {
    RunPlan plan = plan("table=download,BufferSize=65536,UseCompression=false,method=ZeroCopy");

    assertThat(plan.groups()).hasSize(1);
    assertThat(plan.groups().get(0).rows())
        .extracting(RowKey::method)
        .containsExactly("ZeroCopy", "HttpClient");
  }

  @Test
  void of_severalFilters_keepWhatAnyMatches() throws LabException {
    RunPlan plan =
        plan(
            "table=upload,BufferSize=4096,UseCompression=true,method=Default",
            "table=upload,BufferSize=4096,UseCompression=true,method=ZeroCopy");

    assertThat(plan.groups().get(0).rows())
        .extracting(RowKey::method)
        .containsExactly("Default", "ZeroCopy", "HttpClient");
  }

  @Test
  void of_filterThatKeepsNothing_isRefusedThoughAnotherKeepsSome() {
    assertThatThrownBy(() -> plan("method=ZeroCopy", "table=download,method=NginxCurl"))
        .isInstanceOf(LabException.class)
        .hasMessage(
            "filter 'table=download,method=NginxCurl' keeps no row: none has all of these values;"
                + " see bench --list");
  }

  @Test
  void of_noFilter_leavesTablesOnRequestOut() throws LabException {
    assertThat(RunPlan.of(LOCAL, List.of()).groups())
        .flatExtracting(RunPlan.Group::rows)
        .extracting(RowKey::table)
        .containsOnly("download");
  }

  @Test
  void of_filterWithoutTable_isAboutTheMainTablesUnlessTheyHaveNoSuchRow() throws LabException {
    assertThat(local("method=Copy")).extracting(RowKey::table).containsOnly("download");
    assertThat(local("method=Foreign"))
        .extracting(RowKey::table, RowKey::method, RowKey::setting)
        .containsExactly(
            tuple("other-download", "Copy", "BufferSize=65536"),
            tuple("other-download", "Foreign", "BufferSize=65536"));
    assertThat(local("table=other-download")).hasSize(7);
  }

  @Test
  void of_rivals_standWhereTheyCan() throws LabException {
    assertThat(plan("table=rivals-download").size()).isEqualTo(40);
    assertThat(plan("table=rivals-upload").size()).isEqualTo(38);
    assertThat(plan("table=c-core-download").size()).isEqualTo(24);
    assertThat(plan("table=rivals-upload,method=NginxCurl").groups())
        .flatExtracting(RunPlan.Group::rows)
        .extracting(RowKey::method, RowKey::setting)
        .containsExactly(
            tuple("HttpClient", "BufferSize=65536, UseCompression=false"),
            tuple("NginxCurl", "BufferSize=65536, UseCompression=false"),
            tuple("HttpClient", "BufferSize=262144, UseCompression=false"),
            tuple("NginxCurl", "BufferSize=262144, UseCompression=false"));
    assertThat(plan("method=ZeroCopy,BufferSize=65536").groups())
        .flatExtracting(RunPlan.Group::rows)
        .extracting(RowKey::table)
        .containsOnly("download", "upload");
  }

  @Test
  void only_ofUnknownMethodOrBaseline_isRefused() {
    Table table = new Table("t", List.of(), List.of("A", "B"), "A");

    assertThatThrownBy(() -> table.withOnly("C", "P", "1"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> table.withOnly("A", "P", "1"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static List<RowKey> local(String filter) throws LabException {
    return RunPlan.of(LOCAL, List.of(RowFilter.parse(filter, LOCAL))).groups().stream()
        .flatMap(g -> g.rows().stream())
        .toList();
  }

  @Test
  void parse_unknownValue_listsTheValues() {
    assertUsage("method=Fastest", "use one of: Default, RentedArray, ZeroCopy, HttpClient");
  }

  @Test
  void parse_noKeyValue_saysSo() {
    assertUsage("download", "'download' is not key=value");
    assertUsage("", "'' is not key=value");
    assertUsage("table=download,", "'' is not key=value");
  }

  @Test
  void parse_keyTwice_saysSo() {
    assertUsage("table=download,table=upload", "is given twice");
  }

  @Test
  void find_unknownSuite_namesTheNearestOrAll() {
    assertThatThrownBy(() -> Suites.find("file-transport"))
        .isInstanceOf(LabException.class)
        .hasMessage("unknown suite 'file-transport'; did you mean 'file-transfer'?");
    assertThatThrownBy(() -> Suites.find("x"))
        .hasMessageStartingWith("unknown suite 'x'; use one of: ")
        .hasMessageContaining("file-transfer, ")
        // Nobody asks for ceilings alone.
        .hasMessageNotContaining(RowKey.MACHINE);
  }

  @Test
  void named_anyCase_isTheSuite() throws LabException {
    assertThat(Suites.find("File-Transfer").name()).isEqualTo("file-transfer");
    assertThat(Suites.named("ALL")).hasSizeGreaterThan(1);
  }

  @Test
  void ceilingForks_allRows_coverEveryCeilingOnceWithCodecsApart() throws LabException {
    List<RowFork> forks = RunPlan.of(SUITES, List.of()).ceilingForks();

    assertThat(forks).extracting(fork -> fork.first().ceilingLoad()).containsExactly(null, null);
    assertThat(forks.get(1).keys()).extracting(CeilingName::of).allMatch(CeilingName::compresses);
    assertThat(forks.stream().flatMap(f -> f.keys().stream()).map(CeilingName::of))
        .containsExactlyInAnyOrderElementsOf(
            EnumSet.complementOf(
                EnumSet.of(
                    CeilingName.SOCKET_DOWNLOAD_NEW,
                    CeilingName.SOCKET_UPLOAD_NEW,
                    CeilingName.GZIP_INTEL_ALL,
                    CeilingName.PING_PONG)));
  }

  @Test
  void ceilingForks_uncompressedUploads_needNoCodecAndNoDownload() throws LabException {
    RunPlan plan = plan("table=upload,UseCompression=false");

    assertThat(plan.ceilingForks())
        .singleElement()
        .extracting(fork -> fork.keys().stream().map(CeilingName::of).toList())
        .isEqualTo(
            List.of(
                CeilingName.SOCKET_UPLOAD,
                CeilingName.FILE_WRITE,
                CeilingName.FILE_READ,
                CeilingName.SHA_256,
                CeilingName.CRC_32C));
  }

  @Test
  void forks_shared_haveBothDirectionsOfAMethod() throws LabException {
    RunPlan plan = RunPlan.of(ANSWER, List.of()).withControls();

    assertThat(plan.forks(row -> true))
        .singleElement(InstanceOfAssertFactories.list(RowFork.class))
        .hasSize(8)
        .allMatch(fork -> fork.keys().size() == 2)
        .allMatch(fork -> fork.keys().get(0).method().equals(fork.keys().get(1).method()));
    assertThat(plan.forks(row -> false).stream().flatMap(List::stream))
        .hasSize(16)
        .allMatch(fork -> fork.keys().size() == 1);
    // A row whose other direction cannot run would be alone in its JVM.
    assertThat(plan.forks(row -> !row.toString().contains("upload Default")).stream())
        .flatExtracting(forks -> forks)
        .hasSize(16);
  }

  @Test
  void asks_asidesAndControls_onlyIfNothingElseIsAsked() throws LabException {
    RunPlan.Group all = RunPlan.of(ANSWER, List.of()).withControls().groups().get(0);
    RowFilter filter = RowFilter.parse("method=ZeroCopyBare", ANSWER);
    RunPlan.Group chosen = RunPlan.of(ANSWER, List.of(filter)).groups().get(0);

    assertThat(all.rows().stream().filter(row -> !all.asks(row)))
        .extracting(RowKey::method)
        .containsExactly("ZeroCopyBare", "HttpClientFile A/A");
    assertThat(chosen.rows()).allMatch(chosen::asks);
  }

  private static RunPlan plan(String... filters) throws LabException {
    List<RowFilter> parsed = new ArrayList<>();
    for (String filter : filters) {
      parsed.add(RowFilter.parse(filter, SUITES));
    }
    return RunPlan.of(SUITES, parsed);
  }

  private static void assertUsage(String filter, String message) {
    assertThatThrownBy(() -> RowFilter.parse(filter, SUITES))
        .isInstanceOfSatisfying(
            LabException.class,
            e -> {
              assertThat(e.usage()).isTrue();
              assertThat(e).hasMessageContaining(message);
              assertThat(e.getMessage()).doesNotContain("\n");
            });
  }
}
