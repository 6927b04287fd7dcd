package dev.ferry.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How native libraries load, and what happens where they do not; in JVMs of their own. */
final class LoadingTest {
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  @TempDir private Path temporary = Path.of("");

  @Test
  void load_here_printsNothingAndLeavesNoFile() throws Exception {
    for (CompressionCodec codec : CompressionCodec.values()) {
      assumeTrue(codec.available(), () -> codec.obstacle().orElseThrow());
    }
    assertThat(run(CLASS_PATH))
        .containsExactly(
            "fastest gzip: " + CompressionCodec.GZIP_INTEL.label(),
            "java.util.zip works",
            CompressionCodec.GZIP_INTEL.label() + " works",
            CompressionCodec.ZSTD.label() + " works");
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void load_withoutTheJars_leavesGzipToTheJdkAndSaysWhatToAdd() throws Exception {
    String without =
        Arrays.stream(CLASS_PATH.split(File.pathSeparator, -1))
            .filter(entry -> !entry.contains("gkl") && !entry.contains("zstd"))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> lines = run(without, "-Dos.arch=amd64", "-Dos.name=Linux");

    assertThat(lines).hasSize(4).startsWith("fastest gzip: java.util.zip", "java.util.zip works");
    assertThat(lines.get(2))
        .startsWith(CompressionCodec.GZIP_INTEL.label() + " cannot be used: ")
        .contains("not on the class path, add com.intel.gkl:gkl");
    assertThat(lines.get(3))
        .startsWith(CompressionCodec.ZSTD.label() + " cannot be used: ")
        .contains("not on the class path, add com.github.luben:zstd-jni");
  }

  @Test
  void load_onAnUnknownMachine_leavesGzipToTheJdkAndSaysWhy() throws Exception {
    List<String> lines = run(CLASS_PATH, "-Dos.arch=pdp11");

    assertThat(lines).hasSize(4).startsWith("fastest gzip: java.util.zip", "java.util.zip works");
    assertThat(lines.get(2)).contains("Intel GKL is for x86-64 on Linux and macOS", "pdp11");
    assertThat(lines.get(3)).contains("the native library of zstd-jni does not load", "pdp11");
    assertThat(temporary).isEmptyDirectory();
  }

  private List<String> run(String classPath, String... options) throws Exception {
    ProcessBuilder java = new ProcessBuilder(System.getProperty("java.home") + "/bin/java");
    java.command().add("-Djava.io.tmpdir=" + temporary);
    java.command().addAll(List.of(options));
    java.command().addAll(List.of("-cp", classPath, Codecs.class.getName()));
    // What it sets is announced on the standard error.
    java.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = java.redirectErrorStream(true).start();
    byte[] output = process.getInputStream().readAllBytes();
    String text = new String(output, StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return text.lines().toList();
  }

  /** Uses every codec and prints what became of it. */
  static final class Codecs {
    private Codecs() {}

    public static void main(String[] args) throws IOException {
      System.out.println("fastest gzip: " + CompressionCodec.fastestGzip().label());
      for (CompressionCodec codec : CompressionCodec.values()) {
        System.out.println(use(codec));
      }
    }

    private static String use(CompressionCodec codec) throws IOException {
      byte[] bytes = {1, 2, 3};
      try (Compressor compressor = codec.newCompressor(1);
          Decompressor decompressor = codec.newDecompressor()) {
        byte[] decompressed =
            AllCodecs.decompress(decompressor, AllCodecs.compress(compressor, bytes), bytes.length);
        return codec.label() + (Arrays.equals(decompressed, bytes) ? " works" : " does not work");
      } catch (UnsupportedOperationException e) {
        return String.valueOf(e.getMessage());
      }
    }
  }
}
