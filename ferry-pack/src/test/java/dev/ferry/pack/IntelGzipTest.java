package dev.ferry.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.intel.gkl.compression.IntelDeflater;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only the codec of Intel's GKL has to prove: that it runs, quietly, and when it does not. */
final class IntelGzipTest {
  private static void assumeIntel() {
    assumeTrue(
        PackCodec.GZIP_INTEL.available(), () -> PackCodec.GZIP_INTEL.obstacle().orElseThrow());
  }

  @Test
  void unpack_oneSoundMember_needsNoOther() throws IOException {
    assumeIntel();
    try (Unpacker unpacker = new IntelGzipUnpacker(IntelGzipTest::noOther);
        Packer packer = PackCodec.GZIP_INTEL.newPacker(1)) {
      for (Content.Kind kind : Content.Kind.values()) {
        for (int size :
            new int[] {1, 2, 9, 300, 32_768, 65_535, 65_536, 70_001, 262_144, 999_999}) {
          byte[] bytes = new Content(kind, size, size).bytes();
          for (int level = 0; level <= 9; level += 3) {
            assertThat(Packs.unpack(unpacker, Packs.gzip(bytes, level), size)).isEqualTo(bytes);
          }
          assertThat(Packs.unpack(unpacker, Packs.pack(packer, bytes), size)).isEqualTo(bytes);
        }
      }
    }
  }

  private static Unpacker noOther() {
    throw new AssertionError("a sound member was left to the other unpacker");
  }

  @Test
  void label_ofEachLevel_namesTheLibraryThatPacks() {
    assertThat(PackCodec.GZIP_INTEL.label(1)).isEqualTo(PackCodec.GZIP_INTEL.label());
    assertThat(PackCodec.GZIP_INTEL.label(6)).isEqualTo("java.util.zip");
    assertThat(PackCodec.GZIP_JDK.label(1)).isEqualTo("java.util.zip");
    // The version in the label is the one of the root pom.
    String jar = IntelDeflater.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    String version = jar.replaceAll(".*/gkl-(.*)\\.jar", "$1");
    assertThat(PackCodec.GZIP_INTEL.label()).isEqualTo("Intel GKL " + version);
  }

  @Test
  void load_inAJvmOfItsOwn_printsNothingAndLeavesNoFile(@TempDir Path dir) throws Exception {
    assumeIntel();
    assertThat(runIn(dir, "", System.getProperty("java.class.path")))
        .isEqualTo("23: Intel GKL 0.9.1");
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void load_withoutTheJar_leavesItToTheJdkAndSaysHow(@TempDir Path dir) throws Exception {
    String without =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !entry.contains("gkl"))
            .collect(Collectors.joining(File.pathSeparator));
    assertThat(runIn(dir, "-Dos.arch=amd64 -Dos.name=Linux", without))
        .startsWith(
            "Intel GKL 0.9.1 cannot be used: Intel GKL is not on the class path, add com.intel.gkl:gkl (")
        .endsWith(": java.util.zip");
  }

  @Test
  void load_onAnotherMachine_leavesItToTheJdk(@TempDir Path dir) throws Exception {
    assertThat(runIn(dir, "-Dos.arch=aarch64", System.getProperty("java.class.path")))
        .startsWith(
            "Intel GKL 0.9.1 cannot be used: Intel GKL is for x86-64 on Linux and macOS, this is ")
        .contains("aarch64")
        .endsWith(": java.util.zip");
    assertThat(dir).isEmptyDirectory();
  }

  private static String runIn(Path dir, String options, String classPath) throws Exception {
    ProcessBuilder java =
        new ProcessBuilder(
            System.getProperty("java.home") + "/bin/java",
            "-Djava.io.tmpdir=" + dir,
            "-cp",
            classPath);
    for (String option : options.split(" ", 0)) {
      if (!option.isEmpty()) {
        java.command().add(option);
      }
    }
    java.command().add(Print.class.getName());
    java.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = java.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  /** Uses the fastest codec and prints whose it is, behind what becomes of Intel's. */
  static final class Print {
    private Print() {}

    public static void main(String[] args) throws IOException {
      PackCodec codec = PackCodec.fastestGzip();
      try (Packer packer = codec.newPacker(1);
          Unpacker unpacker = codec.newUnpacker()) {
        Packs.unpack(unpacker, Packs.pack(packer, new byte[1000]), 1000);
      }
      try (Packer packer = PackCodec.GZIP_INTEL.newPacker(1)) {
        System.out.print(packer.bound(0));
      } catch (UnsupportedOperationException e) {
        System.out.print(e.getMessage());
      }
      System.out.print(": " + codec.label());
    }
  }
}
