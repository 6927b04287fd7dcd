package dev.ferry.lab.ceiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.core.Round;
import dev.ferry.core.Sha256;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.LoadDriver;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.Workplace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(300)
final class CeilingOperationTest {
  /** Several chunks of every size and a rest. */
  private static final int BYTES = 600_001;

  @TempDir Path folder;

  @BeforeEach
  void makeFolders() throws IOException {
    Files.createDirectory(folder.resolve("store"));
    Files.createDirectory(folder.resolve("client"));
  }

  private Workplace workplace(byte[] content) throws IOException {
    Path source = Files.write(folder.resolve("store/source"), content);
    return new Workplace(
        folder.resolve("store"),
        folder.resolve("client"),
        source,
        content.length,
        Sha256.ofFile(source));
  }

  /** Half of it random, half of it not, so that members differ in length. */
  private static byte[] content() {
    byte[] content = new byte[BYTES];
    new Random(7).nextBytes(content);
    Arrays.fill(content, BYTES / 2, BYTES, (byte) 'x');
    return content;
  }

  private static LoadDriver open(
      CeilingName name, @Nullable Load load, Workplace workplace, int port) throws IOException {
    RowSpec row = new MachineSuite().row(RowKey.ceiling(name, load));
    return new LoadDriver(row.client().start(workplace, port), load);
  }

  private static LoadDriver open(CeilingName name, Workplace workplace) throws IOException {
    if (name == CeilingName.GZIP_INTEL_ALL) {
      assumeThat(CompressionCodec.GZIP_INTEL.obstacle()).isEmpty();
    }
    return open(name, null, workplace, 0);
  }

  @Test
  void compressedPieces_asOneStream_areTheFile() throws Exception {
    byte[] content = content();
    Workplace workplace = workplace(content);
    CompressedChunks compressed =
        CompressedChunks.of(
            CompressionCodec.GZIP_JDK, MappedFile.of(workplace.source()), workplace);
    byte[] members = new byte[Math.toIntExact(compressed.bytes())];
    ByteBuffer all = ByteBuffer.wrap(members);
    for (int i = 0; all.hasRemaining(); i++) {
      all.put(compressed.member(i));
    }

    assertThat(new GZIPInputStream(new ByteArrayInputStream(members)).readAllBytes())
        .isEqualTo(content);
    assertThat(left()).containsExactly("source");
  }

  @ParameterizedTest
  @EnumSource
  void run_severalTimes_isCheckedAndLeavesNothing(CeilingName name) throws Exception {
    try (LoadDriver work = open(name, workplace(content()))) {
      for (int i = 0; i < 3; i++) {
        work.prepare();
        work.run();
        work.check();
      }
    }
    assertThat(left()).containsExactly("source");
  }

  @ParameterizedTest
  @EnumSource
  void run_emptyFile_isChecked(CeilingName name) throws Exception {
    try (LoadDriver work = open(name, workplace(new byte[0]))) {
      work.prepare();
      work.run();
      work.check();
    }
    assertThat(left()).containsExactly("source");
  }

  @ParameterizedTest
  @EnumSource
  void check_withoutRun_fails(CeilingName name) throws Exception {
    try (LoadDriver work = open(name, workplace(content()))) {
      work.prepare();

      assertThatThrownBy(work::check).isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.MATCH_ANY,
      names = {"SOCKET.*", "FILE_WRITE"})
  void run_beforeCheck_leavesTheSourcesBytesUnderAFreshName(CeilingName name) throws Exception {
    byte[] content = content();
    try (LoadDriver work = open(name, workplace(content))) {
      work.prepare();
      work.run();
      List<Path> targets = targets();
      work.check();
      work.prepare();
      work.run();

      assertThat(targets).hasSize(1);
      assertThat(targets()).hasSize(1).doesNotContainAnyElementsOf(targets);
      assertThat(Files.readAllBytes(targets().get(0))).isEqualTo(content);
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.MATCH_ANY,
      names = {"SOCKET.*", "FILE_WRITE"})
  void check_anotherByte_fails(CeilingName name) throws Exception {
    try (LoadDriver work = open(name, workplace(content()))) {
      work.prepare();
      work.run();
      Path target = targets().get(0);
      byte[] bytes = Files.readAllBytes(target);
      bytes[BYTES / 3] ^= 1;
      Files.write(target, bytes);

      assertThatThrownBy(work::check).hasMessageContaining("SHA-256");
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = "SOCKET.*")
  void run_otherEndCannotWrite_saysWhyAndDoesNotHang(CeilingName name) throws Exception {
    Workplace workplace = workplace(content());
    try (LoadDriver work = open(name, null, workplace, 0)) {
      boolean download = name.label().startsWith("socket-download");
      Path broken = download ? workplace.source() : workplace.store().resolve("source");
      Files.delete(broken);
      work.prepare();

      assertThatThrownBy(work::run).isInstanceOf(IOException.class).hasMessageContaining("source");
    }
    assertThat(left()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = "SOCKET.*|PING.*")
  void run_serverOfItsOwn_movesTheSourceAndLeavesNothing(CeilingName name) throws Exception {
    Workplace workplace = workplace(content());
    try (SocketServer server = MachineSuite.serve(workplace);
        LoadDriver work = open(name, null, workplace, server.port())) {
      for (int i = 0; i < 3; i++) {
        work.prepare();
        work.run();
        work.check();
      }
    }
    assertThat(left()).containsExactly("source");
  }

  @Test
  void open_uploadsFolderGone_saysWhyAndDoesNotHang() throws Exception {
    Workplace workplace = workplace(content());
    Workplace gone =
        new Workplace(
            folder.resolve("gone"),
            workplace.client(),
            workplace.source(),
            workplace.size(),
            workplace.sha256());

    assertThatThrownBy(() -> open(CeilingName.SOCKET_UPLOAD, null, gone, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("gone");
  }

  @ParameterizedTest
  @MethodSource("everyNameAndLoad")
  void run_load_isCheckedAndLeavesNothing(CeilingName name, Load load) throws Exception {
    Workplace workplace = workplace(content());
    assumeThat(name == CeilingName.GZIP_INTEL_ALL && !CompressionCodec.GZIP_INTEL.available())
        .isFalse();
    try (LoadDriver work = open(name, load, workplace, 0)) {
      for (int i = 0; i < 3; i++) {
        work.prepare();
        work.run();
        work.check();
      }
      work.prepare();
      assertThatThrownBy(work::check).isInstanceOf(IOException.class);
    }
    assertThat(left()).containsExactly("source");
  }

  @ParameterizedTest
  @MethodSource("everySocketAndLoad")
  void run_load_movesAsManyWholeFilesAsARow(CeilingName name, Load load) throws Exception {
    byte[] content = content();
    try (LoadDriver work = open(name, load, workplace(content), 0)) {
      work.prepare();
      work.run();

      assertThat(targets())
          .hasSize(load.files())
          .allSatisfy(t -> assertThat(Files.readAllBytes(t)).isEqualTo(content));
      work.check();
      assertThat(left()).containsExactly("source");
    }
  }

  @ParameterizedTest
  @MethodSource("everySocketAndLoad")
  void check_oneFileOfALoadCut_fails(CeilingName name, Load load) throws Exception {
    try (LoadDriver work = open(name, load, workplace(content()), 0)) {
      work.prepare();
      work.run();
      List<Path> targets = targets();
      Files.write(targets.get(targets.size() / 2), new byte[BYTES - 1]);

      assertThatThrownBy(work::check).hasMessageContaining("left " + (BYTES - 1) + " bytes");
    }
  }

  @ParameterizedTest
  @MethodSource("everySocketAndLoad")
  void run_loadWithoutItsSource_saysWhyAndDoesNotHang(CeilingName name, Load load)
      throws Exception {
    Workplace workplace = workplace(content());
    try (LoadDriver work = open(name, load, workplace, 0)) {
      Files.delete(workplace.source());
      work.prepare();

      assertThatThrownBy(work::run).isInstanceOf(IOException.class).hasMessageContaining("source");
    }
    assertThat(left()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("everyWay")
  void run_everyWay_movesTheSource(Direction direction, SocketWay way) throws Exception {
    try (SocketCeiling ceiling = SocketCeiling.open(direction, way, workplace(content()), 0)) {
      ceiling.prepare();
      ceiling.run(0);
      ceiling.check(0);

      assertThat(ceiling.trial()).isPositive();
    }
    assertThat(left()).containsExactly("source");
  }

  static Stream<Arguments> everyWay() {
    return Stream.of(Direction.values())
        .flatMap(d -> SocketWay.ALL.stream().map(w -> Arguments.of(d, w)));
  }

  @Test
  void outcome_ofASocket_namesTheFastestWay() throws Exception {
    try (LoadDriver work = open(CeilingName.SOCKET_DOWNLOAD, workplace(content()))) {
      assertThat(SocketWay.ALL).extracting(SocketWay::toString).contains(work.outcome().protocol());
    }
    assertThat(new SocketWay(true, 1 << 20, 4 << 20))
        .hasToString("sendfile, 1 MiB, socket buffers of 4 MiB");
  }

  static Stream<Arguments> everyNameAndLoad() {
    return some(Stream.of(CeilingName.values()));
  }

  static Stream<Arguments> everySocketAndLoad() {
    return some(Stream.of(CeilingName.values()).filter(n -> n.label().startsWith("socket-")));
  }

  /** By default each name and each load; in a thorough run each name with each load. */
  private static Stream<Arguments> some(Stream<CeilingName> names) {
    return Round.some(
        names
            .flatMap(
                n ->
                    Stream.of(
                            Load.files(BYTES, 1, 1),
                            Load.files(BYTES, 5, 1),
                            Load.files(BYTES, 1, 7))
                        .map(l -> Arguments.of(n, l)))
            .toList(),
        each -> List.of(each.get()[0], each.get()[1]));
  }

  private List<Path> targets() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(f -> String.valueOf(f.getFileName()).startsWith("ceiling-")).toList();
    }
  }

  private List<String> left() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).map(f -> String.valueOf(f.getFileName())).toList();
    }
  }
}
