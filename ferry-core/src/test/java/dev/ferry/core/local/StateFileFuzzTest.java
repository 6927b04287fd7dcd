package dev.ferry.core.local;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FileFacts;
import dev.ferry.core.FuzzTarget;
import dev.ferry.core.Fuzzing;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.StateFile;
import dev.ferry.core.local.RememberedDownload.Arrived;
import dev.ferry.core.upload.RememberedUpload;
import dev.ferry.core.upload.UploadId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The state files of clients, as a process may leave them that was killed, whose disk has failed,
 * or that means harm: they name a temporary file of Ferry's beside the target, or nothing.
 */
final class StateFileFuzzTest implements FuzzTarget {
  private static final StorePath PATH = new StorePath("file");
  private static final String KEPT = ".ferry-1-1-0123456789abcdef.kept";

  /** What a download must leave alone. */
  private static final List<String> OTHERS =
      List.of("mine", "outside", ".ferry-1-1-0123456789abcdef.part");

  @Override
  public void parse(byte[] input) throws Exception {
    download(input);
    upload(input);
  }

  private static void download(byte[] input) throws Exception {
    Path folder = Fuzzing.emptyFolder("states");
    Path local = Files.createDirectory(folder.resolve("local"));
    Path target = local.resolve("back");
    for (String other : OTHERS) {
      Path unused = TestFiles.write(local.resolve(other), new byte[] {1});
    }
    Path unused = TestFiles.write(local.resolve(KEPT), new byte[] {1, 2});
    Path states = folder.resolve("downloads");
    Path state = make(states, List.of("server", PATH.value(), target.toAbsolutePath().toString()));
    Files.write(state, input);
    try (RememberedDownload memory = new RememberedDownload(states, "server", PATH, target)) {
      Arrived arrived = memory.adopt(TransferOptions.DEFAULT);
      if (arrived != null) {
        assertThat(arrived.temporary().getParent()).isEqualTo(local.toAbsolutePath());
        assertThat(arrived.temporary()).hasSize(2);
        assertThat(arrived.facts().size()).isGreaterThanOrEqualTo(2);
        assertThat(arrived.facts().name()).isEqualTo("back");
        arrived.file().close();
      }
      memory.forget();
    }
    assertThat(TestFiles.tree(local)).containsAll(OTHERS).doesNotContain("back");
    assertThat(TestFiles.tree(states)).isEmpty();
  }

  private static void upload(byte[] input) throws Exception {
    Path states = Fuzzing.emptyFolder("states");
    FileFacts local =
        new FileFacts("file", StateFile.LEAST_SIZE, Instant.EPOCH, false, null).withVersion("v");
    List<String> key = List.of("key");
    Files.write(make(states, key), input);
    try (RememberedUpload memory = new RememberedUpload(states, key)) {
      UploadId id = memory.remembered(local);
      if (id != null) {
        assertThat(new String(input, 0, 2 * UploadId.LENGTH, US_ASCII))
            .isEqualToIgnoringCase(id.toHex());
      }
      UploadId created = memory.create(local);
      assertThat(memory.remembered(local)).isEqualTo(created);
    }
  }

  private static Path make(Path folder, List<String> key) throws IOException {
    try (StateFile file = new StateFile(folder, key)) {
      assertThat(file.open()).isTrue();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findFirst().orElseThrow();
    }
  }
}
