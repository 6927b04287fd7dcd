package dev.ferry.core.local;

import static dev.ferry.core.TestFiles.random;
import static dev.ferry.core.TestFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.core.Background;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Generated;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.Action;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A link that leads out takes the name of a folder while that is used. */
class NothingOutsideTest {
  private static final CreateOptions MAKING = CreateOptions.DEFAULT.withMakeParents(true);

  /** Sizes of {@code s/file}. */
  private static final int INSIDE = 3;

  private static final int OUTSIDE = 5;

  private static final FileTime TIME = FileTime.from(Instant.ofEpochSecond(1_000_000_000));

  /** A folder to serve, and the one beside it, to which {@code l} leads. */
  private static final class Place {
    final Path outside;
    final Path root;
    final LocalFileStore store;

    Place(Path temporary) throws IOException {
      outside = Files.createDirectory(temporary.resolve("outside"));
      root = Files.createDirectory(temporary.resolve("root"));
      Files.setLastModifiedTime(write(outside.resolve("s/file"), random(OUTSIDE, 1)), TIME);
      Files.createDirectories(outside.resolve("new/empty"));
      write(root.resolve("d/s/file"), random(INSIDE, 1));
      Files.createSymbolicLink(root.resolve("l"), outside);
      store = LocalFileStore.open(root);
    }

    void swap() throws FerryException {
      store.move(path("d"), path("e"), false);
      store.move(path("l"), path("d"), false);
    }

    void assertUntouched() throws IOException {
      assertThat(TestFiles.tree(outside)).containsExactly("new/", "new/empty/", "s/", "s/file");
      assertThat(outside.resolve("s/file")).binaryContent().isEqualTo(random(OUTSIDE, 1));
      assertThat(Files.getLastModifiedTime(outside.resolve("s/file"))).isEqualTo(TIME);
    }
  }

  private static StorePath path(String text) {
    return new StorePath(text);
  }

  private static FileSink begin(FileStore store, String name, CreateOptions options)
      throws FerryException {
    FileSink sink = store.create(path(name), options);
    sink.write(ByteBuffer.wrap(random(INSIDE, 2)));
    return sink;
  }

  private static void upload(FileStore store, String name) throws FerryException {
    try (FileSink sink = begin(store, name, MAKING)) {
      sink.commit(INSIDE, null);
    }
  }

  /** Of an unknown size, so that it is kept. */
  private static CreateOptions kept(CreateOptions options) {
    return options.withUpload(new UploadPart(UploadId.random(), 0, -1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"d/file", "d/s/file", "d/new/file", "d/new/made/file"})
  void commit_ofAKeptUpload_isInvalidPath(String name, @TempDir Path temporary) throws Exception {
    Place place = new Place(temporary);
    try (FileSink sink = begin(place.store, name, kept(MAKING))) {
      place.swap();
      assertThatExceptionOfType(FerryException.class)
          .isThrownBy(() -> sink.commit(INSIDE, null))
          .withMessage("invalid path '" + name + "': its folder was moved meanwhile; send it again")
          .matches(e -> e.kind() == ErrorKind.INVALID_PATH);
    }
    place.assertUntouched();
  }

  @Test
  void commit_ofASmallUpload_isNotFound(@TempDir Path temporary) throws Exception {
    Place place = new Place(temporary);
    for (CreateOptions options : List.of(MAKING, MAKING.withCreateOnly(true))) {
      try (FileSink sink = begin(place.store, "d/small", options)) {
        place.swap();
        assertThatExceptionOfType(FerryException.class)
            .isThrownBy(() -> sink.commit(INSIDE, null))
            .matches(e -> e.kind() == ErrorKind.NOT_FOUND);
      }
      place.store.move(path("d"), path("l"), false);
      place.store.move(path("e"), path("d"), false);
    }
    place.assertUntouched();
  }

  @Test
  void close_ofAnUploadThatMadeFolders_leavesThoseOutside(@TempDir Path temporary)
      throws Exception {
    Place place = new Place(temporary);
    try (FileSink sink = begin(place.store, "d/new/empty/file", MAKING)) {
      place.swap();
      assertThat(sink.written()).isEqualTo(INSIDE);
    }
    place.assertUntouched();
  }

  @Test
  void next_ofAListing_isInvalidPath(@TempDir Path temporary) throws Exception {
    Place place = new Place(temporary);
    try (Listing listing = place.store.list(path("d/s"))) {
      place.swap();
      assertThatExceptionOfType(FerryException.class)
          .isThrownBy(listing::next)
          .withMessage("invalid path 'd/s': a symbolic link leads out of the store");
    }
  }

  @Test
  void next_ofAListingWhoseFolderWasMoved_isNotFound(@TempDir Path temporary) throws Exception {
    Place place = new Place(temporary);
    try (Listing listing = place.store.list(path("d/s"))) {
      place.store.move(path("d"), path("e"), false);
      assertThatExceptionOfType(FerryException.class)
          .isThrownBy(listing::next)
          .matches(e -> e.kind() == ErrorKind.NOT_FOUND);
    }
    try (Listing listing = place.store.list(path("e/s"))) {
      place.store.move(path("l"), path("d"), false);
      assertThat(listing.next()).extracting(FileFacts::size).isEqualTo((long) INSIDE);
    }
  }

  /** What a caller may do to names. */
  private enum Verb {
    MOVE,
    REPLACE,
    LINK,
    FOLDER,
    DELETE
  }

  private record Change(Verb verb, String name, String other) {
    void run(FileStore store) throws FerryException {
      switch (verb) {
        case MOVE -> store.move(path(name), path(other), false);
        case REPLACE -> store.move(path(name), path(other), true);
        case LINK -> store.makeLink(path(name), other, true);
        case FOLDER -> store.makeDirectory(path(name), true, null);
        case DELETE -> store.delete(path(name), null);
      }
    }
  }

  private static Change change(Generated input) {
    if (input.flag()) {
      return new Change(Verb.MOVE, input.of("d", "e", "l"), input.of("d", "e", "l"));
    }
    List<String> names = List.of("d", "e", "l", "d/s", "d/new", "e/s", "d/l");
    return new Change(input.of(Verb.class), input.of(names), input.of(names));
  }

  @Test
  void uploadsAndLists_whateverIsMovedMeanwhile_stayInside() {
    Generated.check(
        100, input -> assertStayInside(input.list(0, 6, () -> change(input)), input.flag()));
  }

  private static void assertStayInside(List<Change> changes, boolean making) throws Exception {
    Path temporary = Files.createTempDirectory("ferry-inside");
    Place place = new Place(temporary);
    FileStore store = place.store;
    CreateOptions options = CreateOptions.DEFAULT.withMakeParents(making);
    FileSink kept = begin(store, "d/s/kept", kept(options));
    FileSink small = begin(store, "d/s/small", options);
    FileSink givenUp = begin(store, "d/new/empty/given-up", MAKING);
    try (Listing listing = store.list(path("d/s"))) {
      for (Change change : changes) {
        attempt(() -> change.run(store));
      }
      attempt(() -> kept.commit(INSIDE, null));
      attempt(() -> small.commit(INSIDE, null));
      attempt(
          () -> {
            for (FileFacts f = listing.next(); f != null; f = listing.next()) {
              assertThat(f.size()).isNotEqualTo(OUTSIDE);
            }
          });
    }
    for (FileSink sink : List.of(kept, small, givenUp)) {
      // Links that lead to each other make this fail, too.
      attempt(sink::close);
    }
    place.assertUntouched();
    deleteTree(temporary);
  }

  private static void attempt(Action<FerryException> action) {
    try {
      action.run();
    } catch (FerryException e) {
      // Every call may be refused.
      return;
    }
  }

  private static void deleteTree(Path folder) throws IOException {
    for (String name : TestFiles.tree(folder).stream().sorted((a, b) -> b.compareTo(a)).toList()) {
      Files.delete(folder.resolve(name));
    }
    Files.delete(folder);
  }

  @Test
  void calls_whileTheLinkComesAndGoes_touchNothingOutside(@TempDir Path temporary)
      throws Exception {
    Place place = new Place(temporary);
    FileStore store = place.store;
    AtomicBoolean stop = new AtomicBoolean();
    List<Action<FerryException>> calls =
        List.of(
            () -> upload(store, "d/new/file"),
            () -> upload(store, "d/s/file"),
            () -> store.makeDirectory(path("d/made/below"), true, null),
            () -> store.delete(path("d/new/empty"), null),
            () -> store.setLastModified(path("d/s/file"), Instant.EPOCH),
            () -> store.move(path("d/s/file"), path("d/moved"), true),
            () -> assertThat(store.stat(path("d/s/file"), false).size()).isEqualTo(INSIDE),
            () -> assertInside(store, "d/s/file"));
    List<Background<Boolean>> callers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      callers.add(
          Background.start(
              () -> {
                while (!stop.get()) {
                  calls.forEach(NothingOutsideTest::attempt);
                }
                return true;
              }));
    }
    try {
      for (int i = 0; i < 3000; i++) {
        StorePath away = path("e" + i);
        attempt(() -> store.move(path("d"), away, false));
        attempt(() -> store.move(path("l"), path("d"), false));
        attempt(() -> store.move(path("d"), path("l"), false));
      }
    } finally {
      stop.set(true);
    }
    for (Background<Boolean> caller : callers) {
      assertThat(caller.result()).isTrue();
    }
    place.assertUntouched();
  }

  private static void assertInside(FileStore store, String name) throws FerryException {
    try (FileSource source = store.open(path(name))) {
      assertThat(source.facts().size()).isEqualTo(INSIDE);
    }
  }
}
