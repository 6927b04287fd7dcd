package dev.ferry.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.RateLimit;
import dev.ferry.core.StoreRule;
import dev.ferry.wire.internal.TestCertificates;
import dev.ferry.wire.internal.Warnings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallersFileTest {
  /** The SHA-256 of {@code abc}, an example of FIPS 180-4. */
  private static final String ABC =
      "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @TempDir Path folder;
  private Path file = Path.of("");

  /** The time of the server; it stands still. */
  private final AtomicLong nanos = new AtomicLong();

  @BeforeEach
  void chooseFile() {
    file = folder.resolve("callers");
  }

  private void write(String... lines) throws IOException {
    Files.write(file, List.of(lines));
    setMode("rw-r--r--");
  }

  private void setMode(String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private CallersFile open() throws FerryException {
    return CallersFile.open(file, nanos::get);
  }

  private static void assertFails(String message, ThrowingCallable call) {
    assertThatExceptionOfType(FerryException.class).isThrownBy(call).withMessage(message);
  }

  @Test
  void open_aFile_knowsCallersByTheirTokens() throws Exception {
    write("# Comment", "", " alice\t" + ABC + "  all:/alice read:/my%20files/100%25  ", "#bob");
    CallersFile callers = open();
    Caller alice = callers.find("abc");
    assertThat(alice)
        .isEqualTo(
            new Caller(
                "alice",
                List.of(StoreRule.parse("all:/alice"), StoreRule.parse("read:/my files/100%"))));
    for (String token : List.of("", "ab", "abcd", "ABC", ABC, ABC.substring(7), "alice")) {
      assertThat(callers.find(token)).as(token).isNull();
    }
  }

  @Test
  void addCertificateAndAddSubject_areFoundByTheseAlone() throws Exception {
    X509Certificate build =
        TestCertificates.client("Build.Example", "spiffe://example/build").getCertificate();
    CallersFile.addCertificate(file, "build", "dns:build.example", List.of("read:/"));
    CallersFile.addCertificate(file, "other", "uri:spiffe://example/other", List.of("all:/"));
    CallersFile.addSubject(file, "carol", "carol 100%", List.of("list:/"));
    CallersFile callers = open();
    assertThat(callers.findByCertificate(build))
        .isEqualTo(new Caller("build", List.of(StoreRule.parse("read:/"))));
    assertThat(callers.findBySubject("carol 100%"))
        .isEqualTo(new Caller("carol", List.of(StoreRule.parse("list:/"))));
    for (String text : List.of("carol", "dns:build.example", "cert:dns:build.example", "")) {
      assertThat(callers.findBySubject(text)).isNull();
      assertThat(callers.find(text)).isNull();
    }
    assertThat(callers.findByCertificate(TestCertificates.loopback().getCertificate())).isNull();
    CallersFile.addCertificate(file, "twin", "uri:spiffe://example/build", List.of("all:/"));
    assertThat(knowsAfter(callers, 1)).isFalse();
    assertThat(callers.findByCertificate(build)).as("a certificate of two callers").isNull();
    assertFails(
        file + ":7: another user has this subject; give each its own",
        () -> CallersFile.addSubject(file, "carol2", "carol 100%", List.of("list:/")));
  }

  @Test
  void admit_callerWithALimit_refusesWhatIsTooMuchAndSaysWhenToComeBack() throws Exception {
    CallersFile.addToken(file, "free", List.of("all:/"));
    String token = CallersFile.addToken(file, "alice", List.of("read:/", "requests:3/s"));
    CallersFile callers = open();
    Caller alice = Objects.requireNonNull(callers.find(token));
    assertThat(alice.limits().requests()).isEqualTo(new RequestRate(3, Duration.ofSeconds(1)));
    long third = 333_333_333;
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 3; i++) {
        callers.admit(alice);
      }
      assertTooMany(callers, alice, third - 1);
      nanos.addAndGet(third - 2);
      assertTooMany(callers, alice, 1);
      nanos.addAndGet(1);
      callers.admit(alice);
      assertTooMany(callers, alice, third);
      nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
    }
    Caller free = CallersFile.list(file).get(0);
    for (int i = 0; i < 1000; i++) {
      callers.admit(free);
    }
  }

  @Test
  void admit_callerWithALimitOfCalls_admitsAnotherWhenOneHasEnded() throws Exception {
    CallersFile.addToken(file, "alice", List.of("calls:2", "read:/", "requests:3/s"));
    assertThat(file).content().endsWith("  read:/  requests:3/s  calls:2\n");
    Caller alice = CallersFile.list(file).get(0);
    CallersFile callers = open();
    Runnable first = callers.admit(alice).ended();
    callers.admit(alice);
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> callers.admit(alice))
        .withMessage("this user has as many requests running as calls:2 permits")
        .matches(e -> e.kind() == ErrorKind.OVERLOADED)
        .extracting(FerryException::retryAfter)
        .isEqualTo(Duration.ofSeconds(1));
    first.run();
    // A call that was refused for its number is none of those that were sent.
    Runnable third = callers.admit(alice).ended();
    third.run();
    assertTooMany(callers, alice, 333_333_332);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    // Nor does one that was refused for the rate count as one that runs.
    callers.admit(alice);
  }

  @Test
  void limits_ofEveryKind_areReadBack() throws Exception {
    List<String> rules = List.of("all:/", "requests:9/d", "calls:1", "bytes:1M/s");
    CallersFile.addToken(file, "alice", rules);
    assertThat(CallersFile.list(file).get(0).limits().texts())
        .containsExactlyElementsOf(rules.subList(1, rules.size()));
  }

  @Test
  void admit_callersWithARate_giveEachOneLimit() throws Exception {
    CallersFile.addToken(file, "alice", List.of("read:/", "bytes:1.5M/s"));
    CallersFile.addToken(file, "bob", List.of("read:/", "bytes:50,000,000/s", "calls:1"));
    CallersFile.addToken(file, "free", List.of("read:/"));
    assertThat(file)
        .content()
        .contains("  read:/  bytes:1536K/s\n", "  calls:1  bytes:50000000/s\n");
    List<Caller> all = CallersFile.list(file);
    CallersFile callers = open();
    RateLimit first = Objects.requireNonNull(callers.admit(all.get(0)).rateLimit());
    assertThat(first).isSameAs(callers.admit(all.get(0)).rateLimit());
    assertThat(first.bytesPerSecond()).isEqualTo(3 << 19);
    assertThat(callers.admit(all.get(1)).rateLimit()).isNotNull().isNotSameAs(first);
    assertThat(callers.admit(all.get(2)).rateLimit()).isNull();
  }

  @Test
  void admit_callerThatGetsALimitOfCalls_countsThoseSince() throws Exception {
    CallersFile.addToken(file, "alice", List.of("read:/"));
    CallersFile callers = open();
    Caller before = CallersFile.list(file).get(0);
    callers.admit(before).ended().run();
    Caller alice = new Caller("alice", before.rules(), CallerLimits.NONE.with("calls:1"));
    callers.admit(alice);
    assertThatExceptionOfType(FerryException.class).isThrownBy(() -> callers.admit(alice));
  }

  private static void assertTooMany(CallersFile callers, Caller caller, long nanos) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> callers.admit(caller))
        .withMessage("this user has sent more than requests:3/s permits")
        .matches(e -> e.kind() == ErrorKind.OVERLOADED)
        .extracting(FerryException::retryAfter)
        .isEqualTo(Duration.ofNanos(nanos));
  }

  @Test
  void open_noCallers_knowsNobody() throws Exception {
    write("# nobody");
    assertThat(open().find("abc")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "alice | 'alice' has no digest or no rule; write NAME sha256:HEX RULE..., or let 'ferry"
            + " token add' do it",
        "alice ABC | 'alice' has no digest or no rule; write NAME sha256:HEX RULE..., or let"
            + " 'ferry token add' do it",
        "alice read:/ ABC | 'alice' has no digest or no rule; write NAME sha256:HEX RULE..., or"
            + " let 'ferry token add' do it",
        "alice ABC0 read:/ | the digest of 'alice' is not 64 hexadecimal digits; write NAME"
            + " sha256:HEX RULE..., or let 'ferry token add' do it",
        "alice sha256:xx read:/ | the digest of 'alice' is not 64 hexadecimal digits; write NAME"
            + " sha256:HEX RULE..., or let 'ferry token add' do it",
        "al/ice ABC read:/ | 'al/ice' is not a name; take letters, digits and . _ @ -",
        "alice ABC read | 'read' is not a rule; give read, list, create, write, delete or all, and"
            + " a path, such as read:/ or write:/inbox",
        "alice ABC read:/../a | invalid path '../a': '..' is not allowed",
        "bob ABC all:/ | there is a user 'bob'; take another name",
        "alice DUP all:/ | another user has this token; give each its own",
        "alice cert:alice.example all:/ | 'alice.example' is not a name of a certificate; give"
            + " dns:NAME, email:ADDRESS or uri:URI, without wildcards",
        "alice cert:dns:*.example all:/ | 'dns:*.example' is not a name of a certificate; give"
            + " dns:NAME, email:ADDRESS or uri:URI, without wildcards",
        "alice cert:dns: all:/ | 'dns:' is not a name of a certificate; give dns:NAME,"
            + " email:ADDRESS or uri:URI, without wildcards",
        "alice cert:DNS:a all:/ | 'DNS:a' is not a name of a certificate; give dns:NAME,"
            + " email:ADDRESS or uri:URI, without wildcards",
        "alice ABC all:/ requests:0/s | 'requests:0/s' is not a limit; give requests:N/s, or N/m a"
            + " minute, N/h an hour, N/d a day",
        "alice ABC all:/ requests:9 | 'requests:9' is not a limit; give requests:N/s, or N/m a"
            + " minute, N/h an hour, N/d a day",
        "alice ABC all:/ requests:1/s requests:2/s | 'requests:2/s' is a second limit of its kind;"
            + " leave it out",
        "alice ABC all:/ calls:1 calls:2 | 'calls:2' is a second limit of its kind; leave it out",
        "alice ABC all:/ calls:0 | 'calls:0' is not a limit; give calls:N with the number of calls"
            + " at a time",
        "alice ABC all:/ bytes:1M | 'bytes:1M' is not a limit; give bytes:SIZE/s, such as"
            + " bytes:50M/s",
        "alice ABC all:/ bytes:x/s | 'bytes:x/s' is not a limit; give bytes:SIZE/s, such as"
            + " bytes:50M/s",
        "alice ABC all:/ bytes:511K/s | 'bytes:511K/s' is not a limit; give bytes:512K/s or more;"
            + " clients would take less for a stall",
        "alice ABC all:/ bytes:1M/s bytes:2M/s | 'bytes:2M/s' is a second limit of its kind; leave"
            + " it out",
        "alice ABC all:/ requests:1/w | 'requests:1/w' is not a limit; give requests:N/s, or N/m a"
            + " minute, N/h an hour, N/d a day",
        "alice ABC all:/ files:5/h | 'files:5/h' is no longer a limit; leave it out, and use quotas"
            + " of the file system",
        "alice ABC all:/ total:10G/d | 'total:10G/d' is no longer a limit; leave it out, and use"
            + " quotas of the file system",
        "alice ABC all:/ size:5 | 'size:5' is not a rule; give read, list, create, write, delete or"
            + " all, and a path, such as read:/ or write:/inbox",
        "alice ABC requests:1/s | 'alice' has no rule; give one such as read:/",
        "alice jwt: all:/ | the subject of 'alice' is empty; write it after jwt:",
        "alice password:abc all:/ | 'alice' has no digest or no rule; write NAME sha256:HEX"
            + " RULE..., or let 'ferry token add' do it"
      })
  void open_aMalformedLine_namesFileAndLineAndRemedy(String line, String message) throws Exception {
    String bob = "sha256:" + "0".repeat(64);
    write("bob " + bob + " all:/", "", line.replace("ABC", ABC).replace("DUP", bob));
    assertFails(file + ":3: " + message, this::open);
  }

  @Test
  void open_aFileThatCannotBeRead_saysWhatToDo() throws Exception {
    assertFails(
        file + ": no such file; 'ferry token add " + file + " NAME RULE' makes it", this::open);
    Files.write(file, new byte[] {(byte) 0xff});
    setMode("rw-r--r--");
    assertFails(
        file + ": cannot be read; check that it is a text file in UTF-8, and its permissions",
        this::open);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw--w----", "rw-----w-", "rw-rw-r--", "rw-rw-rw-"})
  void open_aFileThatOthersMayWrite_isRefused(String mode) throws Exception {
    write("alice " + ABC + " all:/");
    setMode(mode);
    assertFails(file + ": others may write to it; run chmod go-w " + file, this::open);
  }

  @Test
  void find_afterAChange_readsTheFileAgainAfterASecond() throws Exception {
    write("alice " + ABC + " all:/");
    CallersFile callers = open();
    String bob = CallersFile.addToken(file, "bob", List.of("read:/"));
    CallersFile.removeToken(file, "alice");
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(999));
    assertThat(callers.find("abc")).isNotNull();
    assertThat(callers.find(bob)).isNull();
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
    assertThat(callers.find("abc")).isNull();
    assertThat(callers.find(bob)).isNotNull();
  }

  /** Waits, and returns whether the caller of the token {@code abc} is known then. */
  private boolean knowsAfter(CallersFile callers, long seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    return callers.find("abc") != null;
  }

  @Test
  void find_afterTheLastCallerIsGone_warns() throws Exception {
    write("alice " + ABC + " all:/");
    CallersFile callers = open();
    try (Warnings warnings = new Warnings()) {
      write("alice " + ABC + " read:/");
      assertThat(knowsAfter(callers, 1)).isTrue();
      assertThat(warnings.heard()).isEmpty();
      write("# nobody");
      assertThat(knowsAfter(callers, 1)).isFalse();
      assertThat(warnings.heard())
          .singleElement()
          .satisfies(warning -> assertThat(warning).contains(file + ": no longer has users"));
    }
  }

  @Test
  void rotateToken_formerToken_isOfUseForAWhile() throws Exception {
    String former = CallersFile.addToken(file, "alice", List.of("all:/"));
    Instant[] now = {Instant.parse("2026-01-01T00:00:00Z")};
    String token = CallersFile.rotateToken(file, "alice", now[0].plusSeconds(60));
    CallersFile callers = CallersFile.open(file, nanos::get, () -> now[0]);
    assertThat(callers.find(former)).isEqualTo(callers.find(token)).isNotNull();
    now[0] = now[0].plusSeconds(60);
    assertThat(callers.find(former)).isNull();
    assertThat(callers.find(token)).isNotNull();
    CallersFile.addSubject(file, "carol", "carol", List.of("list:/"));
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> CallersFile.rotateToken(file, "carol", now[0]))
        .withMessageContaining("'carol' has no token");
    write("alice " + ABC + " was:yesterday:" + ABC.substring(7) + " all:/");
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(this::open)
        .withMessageContaining("is not a former token");
  }

  @Test
  void find_whileTheFileCannotBeUsed_keepsTheCallersForAMinuteAndWarnsAgain() throws Exception {
    write("alice " + ABC + " all:/");
    CallersFile callers = open();
    try (Warnings warnings = new Warnings()) {
      write("alice " + ABC + " nothing");
      for (int i = 0; i < 60; i++) {
        assertThat(knowsAfter(callers, 1)).isTrue();
      }
      assertThat(warnings.heard())
          .hasSize(4)
          .allSatisfy(
              warning ->
                  assertThat(warning)
                      .contains(file + ":1: 'nothing' is not a rule; ", "from before stay"));
      assertThat(knowsAfter(callers, 1)).isFalse();
      assertThat(knowsAfter(callers, 1)).isFalse();
      assertThat(warnings.heard()).hasSize(5).last().asString().contains("nobody has");
      write("alice " + ABC + " all:/");
      assertThat(knowsAfter(callers, 1)).isTrue();
      setMode("rw-rw-r--");
      assertThat(knowsAfter(callers, 60)).isTrue();
      assertThat(warnings.heard()).hasSize(6).last().asString().contains("others may write");
      assertThat(knowsAfter(callers, 60)).isFalse();
    }
  }

  @Test
  void find_afterTheFileWasDeleted_knowsNobodyUntilItIsBack() throws Exception {
    write("alice " + ABC + " all:/");
    CallersFile callers = open();
    try (Warnings warnings = new Warnings()) {
      Files.delete(file);
      assertThat(knowsAfter(callers, 1)).isFalse();
      assertThat(knowsAfter(callers, 1)).isFalse();
      assertThat(warnings.heard()).singleElement().asString().contains("no such file");
    }
    write("alice " + ABC + " all:/");
    assertThat(knowsAfter(callers, 1)).isTrue();
    write();
    assertThat(knowsAfter(callers, 1)).isFalse();
  }

  @Test
  void find_whileALineIsHalfWritten_keepsTheCallers() throws Exception {
    write("alice " + ABC + " read:/alice");
    CallersFile callers = open();
    Caller alice = callers.find("abc");
    Files.writeString(file, "alice " + ABC + " read:/");
    assertThat(knowsAfter(callers, 1)).isTrue();
    assertThat(callers.find("abc")).isEqualTo(alice);
    String halfWritten = file + ": may be half written; end its last line with a line feed";
    assertFails(halfWritten, this::open);
    assertFails(halfWritten, () -> CallersFile.addToken(file, "bob", List.of("all:/")));
  }

  @Test
  void open_aFileInAFolderThatOthersMayWrite_isRefusedWithoutTheStickyBit() throws Exception {
    Path open = Files.createDirectory(folder.resolve("open"));
    file = open.resolve("callers");
    write("alice " + ABC + " all:/");
    for (String mode : List.of("rwxrwx---", "rwxr-xrwx")) {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString(mode));
      assertFails(file + ": others may write to its folder; run chmod go-w " + open, this::open);
    }
    Files.setAttribute(open, "unix:mode", 01777);
    assertThat(open().find("abc")).isNotNull();
  }

  @Test
  void addToken_newFile_isPrivateAndHoldsNoToken() throws Exception {
    String token = CallersFile.addToken(file, "alice", List.of("read:/", "write:/my in box%20"));
    assertThat(token).matches("ferry_[A-Za-z0-9_-]{43}");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Files.readString(file))
        .startsWith("# ")
        .contains("alice  sha256:", "  read:/  write:/my%20in%20box%2520\n")
        .doesNotContain(token, token.substring(6));
    assertThat(open().find(token))
        .isEqualTo(
            new Caller(
                "alice",
                List.of(StoreRule.parse("read:/"), StoreRule.parse("write:/my in box%20"))));
    assertThat(folder).isDirectoryNotContaining(other -> !other.equals(file));
  }

  @Test
  void addTokenAndRemoveToken_anExistingFile_keepTheRest() throws Exception {
    write("# First", "alice " + ABC + "\tall:/ ", "# Last");
    setMode("rw-r-----");
    String bob = CallersFile.addToken(file, "bob", List.of("list:/"));
    String carol = CallersFile.addToken(file, "carol", List.of("list:/"));
    assertThat(bob).isNotEqualTo(carol);
    assertThat(CallersFile.list(file))
        .extracting(Caller::name)
        .containsExactly("alice", "bob", "carol");
    CallersFile.removeToken(file, "bob");
    assertThat(Files.readAllLines(file, StandardCharsets.UTF_8))
        .startsWith("# First", "alice " + ABC + "\tall:/ ", "# Last")
        .hasSize(4)
        .last()
        .asString()
        .startsWith("carol  sha256:");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
  }

  @Test
  void addToken_throughALink_changesItsTarget() throws Exception {
    write("# here");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    CallersFile.addToken(link, "bob", List.of("list:/"));
    assertThat(link).isSymbolicLink();
    assertThat(CallersFile.list(file)).hasSize(1);
  }

  @Test
  void addTokenAndRemoveToken_ofNoUse_changeNothing() throws Exception {
    write("alice " + ABC + " all:/");
    byte[] before = Files.readAllBytes(file);
    for (String name : List.of("", "a b", "#a", "a\nb", "x".repeat(65))) {
      assertFails(
          "'" + name + "' is not a name; take letters, digits and . _ @ -",
          () -> CallersFile.addToken(file, name, List.of("all:/")));
    }
    assertFails(
        file + ":2: there is a user 'alice'; take another name",
        () -> CallersFile.addToken(file, "alice", List.of("all:/")));
    assertFails(
        "'bob' has no rule; give one such as read:/",
        () -> CallersFile.addToken(file, "bob", List.of()));
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> CallersFile.addToken(file, "bob", List.of("all")))
        .withMessageStartingWith("'all' is not a rule; ");
    assertFails(
        file + ": no user 'bob'; 'ferry token list " + file + "' shows those it has",
        () -> CallersFile.removeToken(file, "bob"));
    Path none = folder.resolve("none/callers");
    assertFails(
        none + ": cannot be written; check its folder and the permissions there",
        () -> CallersFile.addToken(none, "bob", List.of("all:/")));
    Path changed = Files.createFile(folder.resolve("callers.new"));
    assertFails(
        changed + ": exists; wait for the other 'ferry token', or delete it if there is none",
        () -> CallersFile.addToken(file, "bob", List.of("all:/")));
    assertThat(changed).exists();
    assertThat(file).binaryContent().isEqualTo(before);
  }
}
