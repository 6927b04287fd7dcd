package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.ferry.cli.access.JwtCallers;
import dev.ferry.cli.access.JwtCallers.JwtRules;
import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.PartRequest;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.Callers;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Token;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each caller may do, over every carrier, however the server knows it. */
@Timeout(300)
final class CallersTest {
  /**
   * What each operation on {@code box} and {@code box/f} comes to for each caller. After a refusal,
   * the folder is as before. A new operation is a line here and in {@link #operations}.
   *
   * <p>Nobody has no credential, the stranger one that the server does not know, and that of
   * expired was good once: its token was removed, its JWT or certificate has expired. A connection
   * with an expired certificate is refused as a whole.
   */
  private static final String EXPECTED =
      """
      operation  nobody           stranger         expired          other      reader             lister             creator            deleter            mover              owner
      stat       UNAUTHENTICATED  UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  ok                 ok                 PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  ok
      digest     UNAUTHENTICATED  UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  ok                 PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  ok
      list       UNAUTHENTICATED  UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  PERMISSION_DENIED  ok                 PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  ok
      list-root  UNAUTHENTICATED  UNAUTHENTICATED  UNAUTHENTICATED  ok         ok                 ok                 ok                 ok                 ok                 ok
      download   UNAUTHENTICATED  UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  ok                 PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  ok
      part       UNAUTHENTICATED  UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  ok                 PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  ok
      create     UNAUTHENTICATED  UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  PERMISSION_DENIED  PERMISSION_DENIED  ok                 PERMISSION_DENIED  ok                 ok
      replace    UNAUTHENTICATED  UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  PERMISSION_DENIED  PERMISSION_DENIED  ALREADY_EXISTS     PERMISSION_DENIED  ALREADY_EXISTS     ok
      delete     UNAUTHENTICATED  UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  ok                 ok                 ok
      move       UNAUTHENTICATED  UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  ok                 ok
      mkdir      UNAUTHENTICATED  UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  PERMISSION_DENIED  PERMISSION_DENIED  ok                 PERMISSION_DENIED  ok                 ok
      """;

  /** Bytes of an upload, more than sockets take at once: it is refused while it is being sent. */
  private static final int LARGE = 4 << 20;

  /** The rules of each caller that the server knows. */
  private static final Map<String, List<String>> RULES =
      Map.of(
          "other", List.of("all:/other"),
          "reader", List.of("read:/box"),
          "lister", List.of("list:/box"),
          "creator", List.of("create:/box"),
          "deleter", List.of("delete:/box"),
          "mover", List.of("delete:/box", "create:/box"),
          "owner", List.of("all:/box"));

  /** By what the server knows a caller. */
  enum Credential {
    TOKEN,
    JWT,
    CERTIFICATE
  }

  private static final String ISSUER = "https://issuer.example";
  private static final String AUDIENCE = "ferry";

  @TempDir static Path folder;
  private static final Map<String, Token> TOKENS = new HashMap<>();
  private static final Map<String, Token> JWTS = new HashMap<>();
  private static final Map<String, ClientTls> CERTIFICATES = new HashMap<>();
  private static @Nullable Servers servers;

  @BeforeAll
  static void start() throws Exception {
    Path file = folder.resolve("callers");
    ECKey key = new ECKeyGenerator(Curve.P_256).generate();
    for (Map.Entry<String, List<String>> caller : RULES.entrySet()) {
      String name = caller.getKey();
      TOKENS.put(name, Token.parse(CallersFile.addToken(file, name, caller.getValue())));
      CallersFile.addSubject(file, name + ".jwt", name, caller.getValue());
      JWTS.put(name, jwt(key, name, 600));
      CallersFile.addCertificate(file, name + ".cert", "dns:" + name, caller.getValue());
      CERTIFICATES.put(
          name, TestCertificates.client(TestCertificates.client(name, "urn:x-" + name)));
    }
    for (CarrierChoice carrier : CarrierChoice.values()) {
      TOKENS.put(
          "limited-" + carrier,
          Token.parse(
              CallersFile.addToken(
                  file, "limited-" + carrier, List.of("read:/box", "requests:2/h"))));
      TOKENS.put(
          "single-" + carrier,
          Token.parse(
              CallersFile.addToken(file, "single-" + carrier, List.of("read:/large", "calls:1"))));
      TOKENS.put(
          "new-" + carrier,
          Token.parse(
              CallersFile.addToken(
                  file, "new-" + carrier, List.of("all:/new-" + carrier + "/home/"))));
    }
    TOKENS.put("stranger", Token.parse("ferry_" + "A".repeat(43)));
    TOKENS.put("expired", Token.parse(CallersFile.addToken(file, "expired", List.of("all:/"))));
    CallersFile.removeToken(file, "expired");
    JWTS.put("stranger", jwt(new ECKeyGenerator(Curve.P_256).generate(), "owner", 600));
    JWTS.put("expired", jwt(key, "owner", -600));
    CERTIFICATES.put(
        "stranger", TestCertificates.client(TestCertificates.client("stranger", "urn:owner")));
    CERTIFICATES.put("expired", TestCertificates.client(TestCertificates.expired()));
    Path keys = Files.writeString(folder.resolve("keys"), new JWKSet(key).toString());
    Callers callers =
        JwtCallers.open(
            CallersFile.open(file), keys, new JwtRules(ISSUER, AUDIENCE, JWSAlgorithm.ES256));
    servers =
        Servers.start(
            LocalFileStore.open(Files.createDirectory(folder.resolve("root"))),
            ServerSettings.defaults()
                .withTls(
                    TestCertificates.server(TestCertificates.loopback())
                        .withClientIssuers(TestCertificates.issuers()))
                .withCallers(callers));
  }

  private static Token jwt(ECKey key, String subject, int seconds) throws Exception {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader(JWSAlgorithm.ES256),
            new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(AUDIENCE)
                .subject(subject)
                .expirationTime(Date.from(Instant.now().plusSeconds(seconds)))
                .build());
    token.sign(new ECDSASigner(key));
    return Token.parse(token.serialize());
  }

  @AfterAll
  static void stop() {
    servers().close();
  }

  private static Servers servers() {
    return Objects.requireNonNull(servers);
  }

  private static Carrier connect(CarrierChoice carrier, Credential credential, String caller) {
    ClientTls tls = credential == Credential.CERTIFICATE ? CERTIFICATES.get(caller) : null;
    Token token =
        switch (credential) {
          case TOKEN -> TOKENS.get(caller);
          case JWT -> JWTS.get(caller);
          case CERTIFICATE -> null;
        };
    return carrier.connect(
        Servers.HOST,
        servers().port(carrier),
        tls == null ? TestCertificates.client() : tls,
        token);
  }

  private static Path box() {
    return folder.resolve("root/box");
  }

  /** Empties the folder but for one file. */
  private static void refill() throws IOException {
    Files.createDirectories(box());
    try (Stream<Path> files = Files.list(box())) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.writeString(box().resolve("f"), "contents");
  }

  /** An operation that throws what it comes to. */
  private interface Operation {
    void run(Carrier carrier) throws IOException;
  }

  /**
   * Returns the operations by name.
   *
   * @param size bytes of an upload
   */
  private static Map<String, Operation> operations(int size) throws IOException {
    StorePath file = new StorePath("box/f");
    Path local = Files.write(folder.resolve("local"), new byte[size]);
    Map<String, Operation> all = new LinkedHashMap<>();
    all.put(
        "stat",
        carrier -> assertThat(carrier.stat(file, null, CallLimits.DEFAULT).size()).isEqualTo(8));
    all.put(
        "digest",
        carrier ->
            assertThat(carrier.stat(file, Digest.Algorithm.SHA256, CallLimits.DEFAULT).sha256())
                .isNotNull());
    all.put("list", carrier -> assertThat(carrier.list(new StorePath("box"))).hasSize(1));
    all.put("list-root", carrier -> carrier.list(StorePath.ROOT));
    all.put(
        "download",
        carrier -> {
          Path target = folder.resolve("downloaded");
          carrier.download(file, target, TransferOptions.DEFAULT);
          assertThat(target).hasContent("contents");
        });
    all.put(
        "part",
        carrier -> {
          Path target = folder.resolve("part");
          carrier.download(
              file, partOf(new PartRequest(2, 3, null), target), TransferOptions.DEFAULT);
          assertThat(target).hasContent("nte");
        });
    all.put("create", carrier -> upload(carrier, local, "box/new"));
    all.put("replace", carrier -> upload(carrier, local, "box/f"));
    all.put(
        "delete",
        carrier -> {
          carrier.change(new Change.Delete(file, null), CallLimits.DEFAULT);
          assertThat(box()).isEmptyDirectory();
        });
    all.put(
        "move",
        carrier -> {
          carrier.change(
              new Change.Move(file, new StorePath("box/moved"), false), CallLimits.DEFAULT);
          assertThat(box().resolve("moved")).hasContent("contents");
        });
    all.put(
        "mkdir",
        carrier -> {
          carrier.change(
              new Change.MakeDirectory(new StorePath("box/made"), false), CallLimits.DEFAULT);
          assertThat(box().resolve("made")).isDirectory();
        });
    return all;
  }

  private static PartReceiver partOf(PartRequest wanted, Path target) {
    return new PartReceiver() {
      @Override
      public PartRequest wanted() {
        return wanted;
      }

      @Override
      public FileSink part(FileFacts facts, long length) throws FerryException {
        return whole(facts);
      }

      @Override
      public FileSink whole(FileFacts facts) throws FerryException {
        return LocalFileSink.create(target, TransferOptions.DEFAULT.sink());
      }
    };
  }

  private static void upload(Carrier carrier, Path local, String name) throws IOException {
    carrier.upload(local, new StorePath(name), TransferOptions.DEFAULT);
    assertThat(Files.mismatch(folder.resolve("root").resolve(name), local)).isEqualTo(-1);
  }

  private static String outcome(Operation operation, Carrier carrier) throws IOException {
    refill();
    FerryException failure =
        catchThrowableOfType(FerryException.class, () -> operation.run(carrier));
    if (failure == null) {
      return "ok";
    }
    assertThat(box()).isDirectoryNotContaining(file -> !file.endsWith("f"));
    assertThat(box().resolve("f")).hasContent("contents");
    return failure.kind().name();
  }

  static Stream<Arguments> carriersAndCredentials() {
    return Stream.of(CarrierChoice.values())
        .flatMap(
            carrier -> Stream.of(Credential.values()).map(known -> Arguments.of(carrier, known)));
  }

  /** What is expected of callers that are known by one kind of credential. */
  private static List<String> expected(Credential credential) {
    return EXPECTED
        .lines()
        .map(line -> line.strip().replaceAll(" +", " "))
        .map(
            line ->
                credential == Credential.CERTIFICATE
                    ? line.replaceFirst(
                        "((UNAUTHENTICATED ){2})UNAUTHENTICATED", "$1" + ErrorKind.UNAVAILABLE)
                    : line)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("carriersAndCredentials")
  void operation_ofEachCaller_comesToWhatItsRulesSay(CarrierChoice choice, Credential credential)
      throws Exception {
    List<String> expected = expected(credential);
    Map<String, Carrier> carriers = new LinkedHashMap<>();
    List<String> actual = new ArrayList<>(List.of(expected.get(0)));
    try {
      for (String caller : expected.get(0).replaceFirst("operation ", "").split(" ")) {
        carriers.put(caller, connect(choice, credential, caller));
      }
      // What is refused while it is sent does not depend on the credential.
      int size = credential == Credential.TOKEN ? LARGE : 1024;
      for (Map.Entry<String, Operation> operation : operations(size).entrySet()) {
        StringBuilder line = new StringBuilder(operation.getKey());
        for (Map.Entry<String, Carrier> carrier : carriers.entrySet()) {
          line.append(" ").append(outcome(operation.getValue(), carrier.getValue()));
        }
        actual.add(line.toString());
      }
    } finally {
      carriers.values().forEach(Carrier::close);
    }
    assertThat(actual).containsExactlyElementsOf(expected);
  }

  @Test
  void table_hasAtLeast600Combinations() {
    List<String> lines = EXPECTED.lines().toList();
    int callers = lines.get(0).split(" +").length - 1;
    assertThat((lines.size() - 1) * callers * carriersAndCredentials().count())
        .isGreaterThanOrEqualTo(600);
  }

  @ParameterizedTest
  @EnumSource
  void path_outsideOfTheRules_looksTheSameWhetherItExistsOrNot(CarrierChoice choice)
      throws Exception {
    refill();
    try (Carrier other = connect(choice, Credential.TOKEN, "other")) {
      for (Operation operation :
          List.<Operation>of(
              carrier -> carrier.stat(new StorePath("box/f"), null, CallLimits.DEFAULT),
              carrier -> carrier.stat(new StorePath("box/x"), null, CallLimits.DEFAULT),
              carrier -> carrier.list(new StorePath("box/f")),
              carrier -> carrier.list(new StorePath("box/x")),
              carrier ->
                  carrier.change(
                      new Change.Delete(new StorePath("box/f"), null), CallLimits.DEFAULT),
              carrier ->
                  carrier.change(
                      new Change.Delete(new StorePath("box/x"), null), CallLimits.DEFAULT),
              carrier ->
                  carrier.change(
                      new Change.Move(new StorePath("box/f"), new StorePath("other"), false),
                      CallLimits.DEFAULT),
              carrier ->
                  carrier.change(
                      new Change.Move(new StorePath("box/x"), new StorePath("other"), false),
                      CallLimits.DEFAULT))) {
        FerryException failure =
            catchThrowableOfType(FerryException.class, () -> operation.run(other));
        assertThat(String.valueOf(failure.getMessage()).replace("box/x", "box/f"))
            .isEqualTo("box/f: no such file");
      }
      assertThat(other.list(StorePath.ROOT)).isEmpty();
    }
    try (Carrier reader = connect(choice, Credential.TOKEN, "reader")) {
      assertThat(reader.list(StorePath.ROOT)).extracting(FileFacts::name).containsExactly("box");
    }
  }

  @ParameterizedTest
  @EnumSource
  void folder_ofARuleThatIsMissing_isMadeWhenItsUserLooks(CarrierChoice choice) throws Exception {
    StorePath above = new StorePath("new-" + choice);
    StorePath home = above.child("home");
    StorePath file = home.child("f");
    Path local = Files.writeString(folder.resolve("local"), "contents");
    try (Carrier owner = connect(choice, Credential.TOKEN, "new-" + choice);
        Carrier other = connect(choice, Credential.TOKEN, "other")) {
      FerryException hidden = catchThrowableOfType(FerryException.class, () -> other.list(home));
      assertThat(hidden.kind()).isEqualTo(ErrorKind.NOT_FOUND);
      assertThat(folder.resolve("root").resolve(above.value())).doesNotExist();
      assertThat(owner.list(StorePath.ROOT)).extracting(FileFacts::name).contains(above.value());
      assertThat(owner.list(above)).extracting(FileFacts::name).containsExactly(home.value());
      assertThat(owner.list(home)).isEmpty();
      upload(owner, local, file.value());
      assertThat(owner.list(home)).extracting(FileFacts::name).containsExactly(file.value());
      assertThat(other.list(StorePath.ROOT)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusal_ofARequestWithoutAToken_isCounted(CarrierChoice choice) throws Exception {
    Refusals refused =
        choice == CarrierChoice.GRPC ? servers().grpc().refused() : servers().http().refused();
    long before = refused.of(Refusals.Reason.NO_CALLER);
    try (Carrier nobody = connect(choice, Credential.TOKEN, "nobody")) {
      FerryException failure =
          catchThrowableOfType(
              FerryException.class,
              () -> nobody.stat(new StorePath("box/f"), null, CallLimits.DEFAULT));
      assertThat(failure).hasMessage("this server requires a token");
    }
    assertThat(refused.of(Refusals.Reason.NO_CALLER)).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @EnumSource
  void request_ofACallerWhoHasSentTooMany_isToldWhenToComeBack(CarrierChoice choice)
      throws Exception {
    try (Carrier limited = connect(choice, Credential.TOKEN, "limited-" + choice);
        Carrier other =
            connect(
                choice == CarrierChoice.GRPC ? CarrierChoice.HTTP : CarrierChoice.GRPC,
                Credential.TOKEN,
                "limited-" + choice)) {
      limited.list(StorePath.ROOT);
      limited.list(StorePath.ROOT);
      // The ports of a server count together.
      for (Carrier carrier : List.of(limited, other)) {
        FerryException refusal =
            catchThrowableOfType(FerryException.class, () -> carrier.list(StorePath.ROOT));
        assertThat(refusal.kind()).isEqualTo(ErrorKind.OVERLOADED);
        assertThat(refusal).hasMessage("this user has sent more than requests:2/h permits");
        assertThat(refusal.retryAfter())
            .isBetween(Duration.ofMinutes(15), Duration.ofMinutes(30).plusSeconds(1));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void call_ofACallerWhoHasEnough_isRefusedUntilOneEnds(CarrierChoice choice) throws Exception {
    String caller = "single-" + choice;
    TestFiles.sparse(folder.resolve("root/large"), LARGE << 2);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    TransferOptions waiting =
        TransferOptions.DEFAULT.withProgress(
            (bytes, total) -> {
              begun.countDown();
              await(done);
            });
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (Carrier first = connect(choice, Credential.TOKEN, caller);
        Carrier second = connect(choice, Credential.TOKEN, caller)) {
      Future<?> download =
          executor.submit(
              () -> first.download(new StorePath("large"), folder.resolve(caller), waiting));
      begun.await();
      FerryException refusal =
          catchThrowableOfType(FerryException.class, () -> second.list(StorePath.ROOT));
      assertThat(refusal.kind()).isEqualTo(ErrorKind.OVERLOADED);
      assertThat(refusal).hasMessage("this user has as many requests running as calls:1 permits");
      assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(1));
      done.countDown();
      download.get();
      // The server may learn later than the client that its response has arrived.
      while (refusal != null) {
        refusal = catchThrowableOfType(FerryException.class, () -> second.list(StorePath.ROOT));
      }
    } finally {
      done.countDown();
      executor.shutdown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
