package dev.ferry.core;

import static dev.ferry.core.TestFiles.compressible;
import static dev.ferry.core.TestFiles.incompressible;
import static dev.ferry.core.TestFiles.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.core.internal.Action;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes right: every size, chunk, name and option arrives as it left, both ways. */
abstract class TransferContract extends ChangeContract {
  private static final int MEBIBYTE = 1024 * 1024;

  @ParameterizedTest
  @CsvSource({
    "4096,false",
    "65536,false",
    "81920,false",
    "1048512,false",
    "4096,true",
    "65536,true",
    "1048512,true"
  })
  void roundTrip_sizesAroundEveryLimit_arriveWhole(int chunk, boolean gzip) throws Exception {
    TransferOptions options = plain(gzip).withChunkSize(chunk);
    for (int size : sizesAround(chunk)) {
      // Large random files cost gzip most and teach least.
      byte[] bytes = gzip && size > 200_000 ? compressible(size, chunk) : random(size, chunk);
      assertRoundTrip("f" + size, bytes, options);
    }
  }

  private static Iterable<Integer> sizesAround(int chunk) {
    TreeSet<Integer> sizes = new TreeSet<>(List.of(0, 1, 4095, 4096, 4097));
    sizes.addAll(List.of(65535, 65536, 65537));
    sizes.addAll(List.of(chunk - 1, chunk, chunk + 1));
    if (chunk == 65536) {
      sizes.addAll(List.of(MEBIBYTE - 1, MEBIBYTE, MEBIBYTE + 1));
    }
    sizes.add(2 * chunk);
    return sizes;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void roundTrip_chunkOfOneByte_arrivesWhole(boolean gzip) throws Exception {
    assertRoundTrip("tiny-chunks", random(300, 1), plain(gzip).withChunkSize(1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void roundTrip_severalMebibytes_arriveWhole(boolean gzip) throws Exception {
    // Random bytes cost gzip most; that it takes them, smaller files show.
    byte[] bytes = gzip ? compressible(5 * MEBIBYTE + 3, 3) : random(3 * MEBIBYTE + 7, 2);
    assertRoundTrip("large", bytes, plain(gzip));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void roundTrip_withoutVerify_arrivesWhole(boolean gzip) throws Exception {
    assertRoundTrip("unchecked", random(100_000, 4), plain(gzip).withVerify(false));
  }

  @ParameterizedTest
  @CsvSource({"CRC32C,false", "CRC32C,true", "SHA256,false", "SHA256,true"})
  void roundTrip_withEachDigest_arrivesWhole(Digest.Algorithm algorithm, boolean gzip)
      throws Exception {
    TransferOptions options = plain(gzip).withDigest(algorithm).withChunkSize(20_000);
    assertRoundTrip("empty", new byte[0], options);
    assertRoundTrip("file", compressible(700_001, 4), options);
  }

  @ParameterizedTest
  @ValueSource(ints = {4096, 65536, 262144})
  void roundTrip_gzipOfAFileThatBecomesSmallerInParts_arrivesWhole(int chunk) throws Exception {
    byte[] bytes = incompressible(2 * MEBIBYTE + 5, 7);
    System.arraycopy(compressible(MEBIBYTE, 8), 0, bytes, MEBIBYTE, MEBIBYTE);
    Path source = localFile("parts", bytes);
    Path target = local().resolve("parts.back");

    carrier().upload(source, path("parts"), plain(true).withChunkSize(chunk));
    carrier().download(path("parts"), target, plain(true).withChunkSize(chunk));

    assertThat(files().read("parts")).isEqualTo(bytes);
    assertThat(Files.mismatch(source, target)).isEqualTo(-1);
  }

  private void assertRoundTrip(String name, byte[] bytes, TransferOptions options)
      throws Exception {
    Path source = localFile(name, bytes);
    Digest.Algorithm algorithm = options.digest();
    List<Digest> digests = algorithm == null ? List.of() : List.of(algorithm.ofFile(source));
    Transfer up = carrier().upload(source, path(name), options);
    assertThat(Arrays.equals(files().read(name), bytes)).as("upload of %s", name).isTrue();
    assertTransfer(up, bytes.length, digests, options);
    assertThat(up.facts().name()).isEqualTo(name);

    Path target = local().resolve(name + ".back");
    Transfer down = carrier().download(path(name), target, options);
    assertThat(Files.mismatch(source, target)).as("download of %s", name).isEqualTo(-1);
    assertTransfer(down, bytes.length, digests, options);
  }

  private static void assertTransfer(
      Transfer transfer, long size, List<Digest> digests, TransferOptions options) {
    assertThat(transfer.facts().size()).isEqualTo(size);
    assertThat(transfer.facts().directory()).isFalse();
    assertThat(transfer.facts().digests()).containsAll(digests);
    assertThat(transfer.protocol()).isNotBlank();
    if (size >= 4096) {
      assertThat(transfer.encoding()).isEqualTo(options.gzip() ? "gzip" : "identity");
    }
    if (transfer.encoding().equals("identity")) {
      // A message may add a few bytes of header to its chunk. That of the facts has a version.
      long messages = size / options.chunkSize() + 5;
      assertThat(transfer.wireBytes()).isBetween(size, size + 32 * messages);
    } else if (size > 0) {
      assertThat(transfer.wireBytes()).isPositive();
    }
  }

  @Test
  void transfer_compressibleFileWithGzip_takesFewerBytesOnTheWire() throws Exception {
    Path source = localFile("taxi.csv", compressible(MEBIBYTE, 5));
    Transfer up = carrier().upload(source, path("taxi.csv"), plain(true));
    Transfer down = carrier().download(path("taxi.csv"), local().resolve("back"), plain(true));
    assertThat(up.wireBytes()).isBetween(1L, MEBIBYTE / 2L);
    assertThat(down.wireBytes()).isBetween(1L, MEBIBYTE / 2L);
  }

  @ParameterizedTest
  @CsvSource({"0,false", "1,false", "300000,false", "0,true", "1,true", "300000,true"})
  void progress_bothWays_growsToTheSize(int size, boolean gzip) throws Exception {
    Path source = localFile("file", compressible(size, 6));
    List<long[]> up = Collections.synchronizedList(new ArrayList<>());
    List<long[]> down = Collections.synchronizedList(new ArrayList<>());
    TransferOptions options = plain(gzip).withChunkSize(4096);
    carrier().upload(source, path("file"), options.withProgress((d, t) -> up.add(pair(d, t))));
    carrier()
        .download(
            path("file"),
            local().resolve("back"),
            options.withProgress((d, t) -> down.add(pair(d, t))));
    assertProgress(up, size);
    assertProgress(down, size);
  }

  private static long[] pair(long done, long total) {
    return new long[] {done, total};
  }

  private static void assertProgress(List<long[]> heard, long size) {
    assertThat(heard).isNotEmpty();
    long before = 0;
    for (long[] update : heard) {
      assertThat(update[0]).isBetween(before, size);
      assertThat(update[1]).isIn(size, -1L);
      before = update[0];
    }
    assertThat(heard.get(heard.size() - 1)).containsExactly(size, size);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b/c/d.txt",
        "with space",
        " leading and trailing ",
        "100%",
        "%2e%2e",
        "a%2Fb",
        "1+1=2",
        "#hash?query&x=y;z",
        "quote'\"`$(x)",
        "a:b@c,d",
        "~tilde*[star]{x}|^",
        "...",
        "..name",
        "-dash",
        "über/日本語/😀",
        "e\u0301",
        "dev-disk\\x2dswap.swap",
        "..\\up\\",
        "Icon\r",
        "line\nbreak\ttab",
        "\u001b[31m\u0001\u007f\u0085\u2028",
        "\ufffd\ufeff"
      })
  void name_ofEveryKind_isTheSameAtBothEnds(String name) throws Exception {
    if (name.chars().anyMatch(c -> c < ' ')) {
      Path unused = localDisk("object stores have no control characters in names");
    }
    byte[] bytes = random(100, name.hashCode());
    Transfer up = carrier().upload(localFile("x", bytes), path(name), MAKING);
    assertThat(up.facts().name()).isEqualTo(name);
    assertThat(files().read(name)).isEqualTo(bytes);

    Path target = local().resolve("back");
    carrier().download(path(name), target, TransferOptions.DEFAULT);
    assertThat(Files.readAllBytes(target)).isEqualTo(bytes);
    assertThat(carrier().stat(path(name), null, CallLimits.DEFAULT).name()).isEqualTo(name);

    int slash = name.lastIndexOf('/');
    StorePath parent = slash < 0 ? StorePath.ROOT : path(name.substring(0, slash));
    assertThat(carrier().list(parent)).extracting(FileFacts::name).containsExactly(name);
  }

  @Test
  void name_ofMostBytes_isTheSameAtBothEnds() throws Exception {
    String name = "é".repeat(127) + "x/" + "y".repeat(255);
    byte[] bytes = random(10, 1);
    carrier().upload(localFile("x", bytes), path(name), MAKING);
    carrier().download(path(name), local().resolve("back"), TransferOptions.DEFAULT);
    assertThat(Files.readAllBytes(local().resolve("back"))).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void transfer_overAnExistingFile_replacesIt(boolean gzip) throws Exception {
    storeFile("file", random(70_000, 1));
    byte[] bytes = random(50_000, 2);
    carrier().upload(localFile("file", bytes), path("file"), plain(gzip));
    assertThat(files().read("file")).isEqualTo(bytes);
    Path target = localFile("target", random(90_000, 3));
    carrier().download(path("file"), target, plain(gzip));
    assertThat(Files.readAllBytes(target)).isEqualTo(bytes);
  }

  @Test
  void download_thatMakesParents_makesThem() throws Exception {
    byte[] bytes = random(10, 1);
    storeFile("file", bytes);
    Path target = local().resolve("new/er/file");
    carrier().download(path("file"), target, MAKING);
    assertThat(Files.readAllBytes(target)).isEqualTo(bytes);
  }

  @Test
  void upload_createOnlyOfANewFile_makesIt() throws Exception {
    byte[] bytes = random(1000, 1);
    TransferOptions createOnly = TransferOptions.DEFAULT.withCreateOnly(true);
    carrier().upload(localFile("file", bytes), path("file"), createOnly);
    assertThat(files().read("file")).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void upload_thatMakesParents_makesThem(boolean createOnly) throws Exception {
    byte[] bytes = random(1000, 1);
    TransferOptions options = MAKING.withCreateOnly(createOnly);
    carrier().upload(localFile("file", bytes), path("new/er/file"), options);
    assertThat(files().read("new/er/file")).isEqualTo(bytes);
  }

  @Test
  void stat_ofAFile_givesItsFacts() throws Exception {
    byte[] bytes = random(1234, 1);
    storeFile("dir/file", bytes);
    FileFacts facts = carrier().stat(path("dir/file"), null, CallLimits.DEFAULT);
    assertThat(facts.name()).isEqualTo("dir/file");
    assertThat(facts.size()).isEqualTo(1234);
    assertThat(facts.directory()).isFalse();
    assertThat(facts.lastModified().toEpochMilli())
        .isEqualTo(files().lastModified("dir/file").toEpochMilli());
    assertThat(facts.sha256()).isNull();
    assertThat(
            carrier().stat(path("dir/file"), Digest.Algorithm.SHA256, CallLimits.DEFAULT).sha256())
        .isEqualTo(Sha256.ofFile(localFile("file", bytes)));
  }

  @Test
  void stat_ofAFileThatWasChangedKeepingItsTime_isOfAnotherVersion() throws Exception {
    Path root = localDisk("sets the time of a file back");
    byte[] changed = random(100_000, 2);
    Path local = localFile("file", random(100_000, 1));
    FileFacts stored = carrier().upload(local, path("file"), MAKING).facts();
    FileFacts before = carrier().stat(path("file"), Digest.Algorithm.CRC32C, CallLimits.DEFAULT);
    assertThat(before.version()).isNotNull().isEqualTo(stored.version());

    TestFiles.changeKeepingTime(root.resolve("file"), changed);

    FileFacts after = carrier().stat(path("file"), null, CallLimits.DEFAULT);
    assertThat(after.lastModified()).isEqualTo(before.lastModified());
    assertThat(after.version()).isNotEqualTo(before.version());
    assertThat(after.digests()).isEmpty();
    assertThat(carrier().stat(path("file"), Digest.Algorithm.CRC32C, CallLimits.DEFAULT).crc32c())
        .isEqualTo(Digest.Algorithm.CRC32C.ofFile(root.resolve("file")));
    Path back = local().resolve("back");
    carrier().download(path("file"), back, TransferOptions.DEFAULT);
    assertThat(back).binaryContent().isEqualTo(changed);
  }

  @ParameterizedTest
  @EnumSource
  void readNow_afterAChangeThatDoesNotShow_isOfTheBytes(Digest.Algorithm algorithm)
      throws Exception {
    byte[] changed = random(100_000, 2);
    Digest right = algorithm.ofFile(localFile("changed", changed));
    TransferOptions options = MAKING.withDigest(algorithm);
    carrier().upload(localFile("file", random(100_000, 1)), path("file"), options);
    Action<Exception> change = files().unseenChange("file", changed);
    FileFacts before = carrier().stat(path("file"), algorithm, CallLimits.DEFAULT);
    change.run();
    if (files().onLocalDisk()) {
      String version = carrier().stat(path("file"), null, CallLimits.DEFAULT).version();
      assumeTrue(Objects.equals(before.version(), version), "the kernel has just written the file");
    }
    assertThat(carrier().stat(path("file"), algorithm, CallLimits.DEFAULT).digest(algorithm))
        .as("remembered")
        .isEqualTo(before.digest(algorithm));

    FileFacts now = carrier().readNow(path("file"), changed.length, algorithm, CallLimits.DEFAULT);

    assertThat(now.digest(algorithm)).isEqualTo(right);
    assertThat(now.size()).isEqualTo(changed.length);
    assertThat(carrier().stat(path("file"), algorithm, CallLimits.DEFAULT).digest(algorithm))
        .isEqualTo(right);
    Path back = local().resolve("back");
    carrier().download(path("file"), back, options);
    assertThat(back).binaryContent().isEqualTo(changed);
    assertFails(
        ErrorKind.NOT_FOUND,
        () -> carrier().readNow(path("none"), 0, algorithm, CallLimits.DEFAULT));
  }

  @Test
  void roundTrip_executableFile_staysExecutable() throws Exception {
    Path program = localFile("program", random(1000, 1));
    assertThat(program.toFile().setExecutable(true)).isTrue();
    Path plain = localFile("plain", random(1000, 2));

    carrier().upload(program, path("f"), TransferOptions.DEFAULT);
    assertThat(carrier().stat(path("f"), null, CallLimits.DEFAULT).executable()).isTrue();
    Path back = local().resolve("back");
    Transfer transfer = carrier().download(path("f"), back, TransferOptions.DEFAULT);
    assertThat(transfer.facts().executable()).isTrue();
    assertThat(back).isExecutable();

    // Its next version may come from where such a permission is not known.
    carrier().upload(plain, path("f"), TransferOptions.DEFAULT);
    assertThat(carrier().stat(path("f"), null, CallLimits.DEFAULT).executable()).isTrue();
    carrier().upload(plain, path("g"), TransferOptions.DEFAULT);
    assertThat(carrier().stat(path("g"), null, CallLimits.DEFAULT).executable()).isNotEqualTo(true);
    Path other = local().resolve("other");
    carrier().download(path("g"), other, TransferOptions.DEFAULT);
    assertThat(Files.isExecutable(other)).isFalse();
  }

  @Test
  void roundTrip_privateFile_staysPrivate() throws Exception {
    Path secret = TestFiles.permit(localFile("secret", random(1000, 1)), "rw-------");
    carrier().upload(secret, path("f"), TransferOptions.DEFAULT);
    assertThat(carrier().stat(path("f"), null, CallLimits.DEFAULT).mode()).isEqualTo(0600);
    Path back = local().resolve("back");
    carrier().download(path("f"), back, TransferOptions.DEFAULT);
    assertThat(TestFiles.permissions(back)).isEqualTo("rw-------");

    // What replaces it need not know that it is private.
    Path other = TestFiles.permit(localFile("other", random(1000, 2)), "rw-r--r--");
    carrier().upload(other, path("f"), TransferOptions.DEFAULT);
    assertThat(carrier().stat(path("f"), null, CallLimits.DEFAULT).mode()).isEqualTo(0600);
    carrier().upload(other, path("g"), TransferOptions.DEFAULT);
    carrier().download(path("g"), back, TransferOptions.DEFAULT);
    assertThat(back).binaryContent().isEqualTo(random(1000, 2));
    assertThat(TestFiles.permissions(back)).isEqualTo("rw-------");
  }

  @Test
  void stat_ofADirectory_saysSo() throws Exception {
    storeFile("dir/file", random(10, 1));
    for (StorePath directory : List.of(path("dir"), StorePath.ROOT)) {
      FileFacts facts = carrier().stat(directory, Digest.Algorithm.SHA256, CallLimits.DEFAULT);
      assertThat(facts.name()).isEqualTo(directory.value());
      assertThat(facts.directory()).isTrue();
      assertThat(facts.size()).isZero();
    }
  }

  @Test
  void list_ofDirectories_isSortedAndWhole() throws Exception {
    storeFile("b", random(2, 1));
    storeFile("a", random(1, 1));
    storeFile("dir/inner", random(3, 1));
    files().makeFolder("empty");
    List<FileFacts> entries = carrier().list(StorePath.ROOT);
    assertThat(entries).extracting(FileFacts::name).containsExactly("a", "b", "dir", "empty");
    assertThat(entries).extracting(FileFacts::size).containsExactly(1L, 2L, 0L, 0L);
    assertThat(entries).extracting(FileFacts::directory).containsExactly(false, false, true, true);
    assertThat(carrier().list(path("dir")))
        .extracting(FileFacts::name)
        .containsExactly("dir/inner");
    assertThat(carrier().list(path("empty"))).isEmpty();
  }

  @Test
  void list_ofManyEntries_isWhole() throws Exception {
    for (int i = 0; i < 200; i++) {
      files().write("a file with a name of some length " + i, new byte[0]);
    }
    assertThat(carrier().list(StorePath.ROOT)).hasSize(200);
  }
}
