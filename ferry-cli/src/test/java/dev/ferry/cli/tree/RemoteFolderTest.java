package dev.ferry.cli.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RemoteFolderTest {
  private static final StorePath DIRECTORY = new StorePath("d");

  private static List<FileFacts> facts(Stream<String> names) {
    return names.map(name -> new FileFacts("d/" + name, 1, Instant.EPOCH, false, null)).toList();
  }

  private static void pass(List<FileFacts> facts, Predicate<FileFacts> entries) {
    boolean unused = facts.stream().allMatch(entries);
  }

  private static List<String> read(RemoteFolder folder) throws FerryException {
    List<String> names = new ArrayList<>();
    for (FileFacts entry = folder.next(); entry != null; entry = folder.next()) {
      names.add(folder.name(entry));
    }
    return names;
  }

  @Test
  void next_afterAListThatBrokeOffAndWasRepeated_returnsEachNameOnce() throws Exception {
    List<FileFacts> all = facts(Stream.of("a", "b", "c"));
    RemoteFolder folder =
        RemoteFolder.open(
            (directory, attempts) -> {
              pass(all.subList(0, 2), attempts.get());
              pass(all, attempts.get());
            },
            DIRECTORY);
    assertThat(read(folder)).containsExactly("a", "b", "c");
  }

  @Test
  void next_moreThanABatch_returnsAll() throws Exception {
    List<String> names =
        IntStream.range(0, 200_001).mapToObj(i -> String.format("%06d", i)).toList();
    List<FileFacts> all = facts(names.stream());
    List<FileFacts> two = all.subList(0, 200_000);
    assertThat(read(RemoteFolder.open((d, attempts) -> pass(all, attempts.get()), DIRECTORY)))
        .isEqualTo(names);
    assertThat(read(RemoteFolder.open((d, attempts) -> pass(two, attempts.get()), DIRECTORY)))
        .isEqualTo(names.subList(0, 200_000));
  }

  @Test
  void next_moreThanABatchWithoutNames_returnsEachOnce() throws Exception {
    List<FileFacts> all = new ArrayList<>(facts(Stream.of("a")));
    for (int i = 0; i < 200_001; i++) {
      all.add(FileFacts.leftOut("d/\\xe9" + i, FileFacts.LeftOut.NAME));
    }
    all.addAll(facts(Stream.of("z")));
    int broken = 150_000;
    RemoteFolder folder =
        RemoteFolder.open(
            (directory, attempts) -> {
              pass(all.subList(0, broken), attempts.get());
              pass(all, attempts.get());
            },
            DIRECTORY);
    List<FileFacts> read = new ArrayList<>();
    for (FileFacts entry = folder.next(); entry != null; entry = folder.next()) {
      read.add(entry);
    }
    assertThat(read).isEqualTo(all);
  }

  @Test
  void open_namesThatAreNotInOrder_isRefused() {
    for (String names : List.of("b a", "a a")) {
      List<FileFacts> all = facts(Stream.of(names.split(" ")));
      assertThatThrownBy(
              () -> RemoteFolder.open((d, attempts) -> pass(all, attempts.get()), DIRECTORY))
          .isInstanceOfSatisfying(
              FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INTERNAL))
          .hasMessageContaining("in the wrong place");
    }
  }
}
