package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The fixture of the tests of a carrier: one server and one client for all tests of a
 * configuration, with a new store for each test, and checks of what each test has left behind.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(Round.Naming.class)
@Timeout(300)
abstract class ContractHarness {
  /** A running server and a client that is connected to it. */
  public interface Fixture extends AutoCloseable {
    /** The client. */
    Carrier carrier();

    /** Stops the server as abruptly as possible, and cuts calls in progress. */
    void killServer();

    /** Stops both ends, whichever of them still run. */
    @Override
    void close();
  }

  /** Makes the directories that are missing, so that a test sees whether they are left behind. */
  static final TransferOptions MAKING = TransferOptions.DEFAULT.withMakeParents(true);

  private final SwitchStore store = new SwitchStore(new AbsentStore());
  private final Map<Object, Fixture> fixtures = new HashMap<>();
  private Object configuration = this;
  private Path temporary = Path.of("");
  private StoredFiles files = new LocalFiles(temporary);

  /** Starts a server over a store, and a client of it, in the configuration of the test. */
  protected abstract Fixture open(FileStore store) throws Exception;

  /**
   * Chooses the configuration of the test that is about to run. To be overridden by a class with
   * several, see {@link Round}.
   *
   * @return the configuration; tests of equal ones share a server and a client
   */
  protected Object configure(TestInfo test) {
    return this;
  }

  /**
   * Where the files of the store are. To be overridden by a class with a store elsewhere than on
   * the local disk.
   *
   * @param root an empty folder
   */
  protected StoredFiles files(Path root) throws Exception {
    return new LocalFiles(root);
  }

  /** The kinds a client may see when the served file changes after its first byte was promised. */
  protected List<ErrorKind> fileChangedKinds() {
    return List.of(ErrorKind.FILE_CHANGED);
  }

  /**
   * Whether a download can be verified when its file was replaced after it began.
   *
   * @param gzip whether it is compressed
   */
  protected boolean verifiesReplacedFiles(boolean gzip) {
    return true;
  }

  @AfterAll
  void stopShared() {
    fixtures.values().forEach(Fixture::close);
  }

  @BeforeEach
  void freshStore(TestInfo test, @TempDir Path directory) throws Exception {
    configuration = configure(test);
    if (!fixtures.containsKey(configuration)) {
      fixtures.put(configuration, open(store));
    }
    temporary = directory;
    Files.createDirectory(local());
    files = files(Files.createDirectory(temporary.resolve("store")));
    use(files.open(ReceiveLimits.OWN));
  }

  @AfterEach
  void nothingLeft() throws Exception {
    // A server may begin to store a file after its client has failed.
    store.retire(new AbsentStore());
    TestFiles.awaitNothingOpen(temporary);
    assertThat(TestFiles.tree(local())).noneMatch(path -> path.contains(".ferry-"));
    files.awaitNothingOpen();
    files.close();
  }

  /** The client that all tests of a configuration share. */
  Carrier carrier() {
    return Objects.requireNonNull(fixtures.get(configuration)).carrier();
  }

  /** The files of the store. */
  StoredFiles files() {
    return files;
  }

  /** Opens the store beside the one of this test. */
  FileStore store() throws Exception {
    return files.open(ReceiveLimits.OWN);
  }

  /**
   * Returns the folder of the store on the local disk. Skips the test if the store is elsewhere.
   *
   * @param reason what the test does that takes a local disk
   */
  Path localDisk(String reason) {
    assumeTrue(files.onLocalDisk(), "the store is not on the local disk: " + reason);
    return ((LocalFiles) files).root();
  }

  /** The client's folder. */
  Path local() {
    return temporary.resolve("local");
  }

  FileStore use(FileStore fresh) {
    store.use(fresh);
    return fresh;
  }

  /** Writes a file of the client. */
  Path localFile(String name, byte[] bytes) throws IOException {
    return TestFiles.write(local().resolve(name), bytes);
  }

  /** Writes a file of the store, as if it had been there for long. */
  void storeFile(String name, byte[] bytes) throws Exception {
    files.write(name, bytes);
    files.age(name);
  }

  /** Waits, within seconds, until the store has exactly this; see {@link StoredFiles#tree}. */
  void awaitStored(String... expected) throws Exception {
    TestFiles.awaitTree(files::tree, expected);
  }

  static StorePath path(String text) throws FerryException {
    return StorePath.parse(text);
  }

  static TransferOptions plain(boolean gzip) {
    return MAKING.withGzip(gzip);
  }

  static void assertFails(ErrorKind kind, ThrowingCallable call) {
    assertFails(List.of(kind), call);
  }

  static void assertFails(List<ErrorKind> kinds, ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isInstanceOf(FerryException.class);
    assertKind(kinds, (FerryException) thrown);
  }

  /** A failure of a kind that the user is told in exactly these words. */
  static void assertFails(ErrorKind kind, String message, ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown).isInstanceOf(FerryException.class).hasMessage(message);
    assertThat(((FerryException) thrown).kind()).isEqualTo(kind);
  }

  static void assertKind(List<ErrorKind> kinds, FerryException failure) {
    assertThat(kinds).as("kinds allowed for %s", failure).contains(failure.kind());
    assertThat(failure.getMessage()).isNotBlank().doesNotContain("\n");
  }

  /** Checks that the server still serves on the same connections. */
  void assertStillServes() throws Exception {
    use(store());
    byte[] bytes = TestFiles.random(10_000, 1);
    Path source = localFile("still-serves", bytes);
    carrier().upload(source, path("still-serves"), TransferOptions.DEFAULT);
    Path target = local().resolve("still-serves-back");
    carrier().download(path("still-serves"), target, TransferOptions.DEFAULT);
    assertThat(target).binaryContent().isEqualTo(bytes);
    Files.delete(source);
    Files.delete(target);
    files.delete("still-serves");
  }

  /** The store between tests. */
  private static final class AbsentStore implements FileStore {
    private static FerryException absent() {
      return new FerryException(ErrorKind.UNAVAILABLE, "no test is running");
    }

    @Override
    public FileFacts stat(StorePath path, boolean digest) throws FerryException {
      throw absent();
    }

    @Override
    public Listing list(StorePath directory) throws FerryException {
      throw absent();
    }

    @Override
    public FileSource open(StorePath path) throws FerryException {
      throw absent();
    }

    @Override
    public FileSink create(StorePath path, CreateOptions options) throws FerryException {
      throw absent();
    }
  }
}
