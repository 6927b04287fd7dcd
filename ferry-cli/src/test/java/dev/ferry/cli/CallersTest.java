package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.PartRequest;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.net.CallersFile;
import dev.ferry.net.ServerSettings;
import dev.ferry.net.Token;
import dev.ferry.net.internal.Refusals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each caller may do, over every carrier. */
@Timeout(120)
final class CallersTest {
  /**
   * What each operation on {@code box} and {@code box/f} comes to for each caller. After a refusal,
   * the folder is as before.
   */
  private static final String EXPECTED =
      """
      operation  nobody           stranger         other      reader             creator            deleter            mover              owner
      stat       UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  ok                 PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  ok
      digest     UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  ok                 PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  ok
      list       UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  ok                 PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  ok
      download   UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  ok                 PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  ok
      part       UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  ok                 PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  ok
      create     UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  PERMISSION_DENIED  ok                 PERMISSION_DENIED  ok                 ok
      replace    UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  PERMISSION_DENIED  ALREADY_EXISTS     PERMISSION_DENIED  ALREADY_EXISTS     ok
      delete     UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  PERMISSION_DENIED  PERMISSION_DENIED  ok                 ok                 ok
      move       UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  PERMISSION_DENIED  PERMISSION_DENIED  PERMISSION_DENIED  ok                 ok
      mkdir      UNAUTHENTICATED  UNAUTHENTICATED  NOT_FOUND  PERMISSION_DENIED  ok                 PERMISSION_DENIED  ok                 ok
      """;

  /** Bytes of an upload, more than sockets take at once: it is refused while it is being sent. */
  private static final int LARGE = 4 << 20;

  /** The rules of each caller that the server knows. */
  private static final Map<String, List<String>> RULES =
      Map.of(
          "other", List.of("all:/other"),
          "reader", List.of("read:/box", "list:/box"),
          "creator", List.of("create:/box"),
          "deleter", List.of("delete:/box"),
          "mover", List.of("delete:/box", "create:/box"),
          "owner", List.of("all:/box"));

  @TempDir static Path folder;
  private static final Map<String, Token> TOKENS = new LinkedHashMap<>();
  private static @Nullable Servers servers;

  @BeforeAll
  static void start() throws Exception {
    Path file = folder.resolve("callers");
    for (Map.Entry<String, List<String>> caller : RULES.entrySet()) {
      TOKENS.put(
          caller.getKey(),
          Token.parse(CallersFile.addToken(file, caller.getKey(), caller.getValue())));
    }
    TOKENS.put("stranger", Token.parse("ferry_" + "A".repeat(43)));
    Path root = Files.createDirectory(folder.resolve("root"));
    servers =
        Servers.start(
            LocalFileStore.open(root),
            ServerSettings.defaults().withCallers(CallersFile.open(file)));
  }

  @AfterAll
  static void stop() {
    servers().close();
  }

  private static Servers servers() {
    return Objects.requireNonNull(servers);
  }

  private static Carrier connect(CarrierChoice carrier, String caller) {
    return carrier.connect(Servers.HOST, servers().port(carrier), null, TOKENS.get(caller));
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
    void run(Carrier carrier) throws FerryException;
  }

  private static Map<String, Operation> operations() throws IOException {
    StorePath file = new StorePath("box/f");
    Path local = Files.write(folder.resolve("local"), new byte[LARGE]);
    Map<String, Operation> all = new LinkedHashMap<>();
    all.put("stat", carrier -> assertThat(carrier.stat(file, false).size()).isEqualTo(8));
    all.put("digest", carrier -> assertThat(carrier.stat(file, true).sha256()).isNotNull());
    all.put("list", carrier -> assertThat(carrier.list(new StorePath("box"))).hasSize(1));
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
          carrier.downloadPart(
              file, new PartRequest(2, 3, null), partOf(target), TransferOptions.DEFAULT);
          assertThat(target).hasContent("nte");
        });
    all.put("create", carrier -> upload(carrier, local, "box/new"));
    all.put("replace", carrier -> upload(carrier, local, "box/f"));
    all.put(
        "delete",
        carrier -> {
          carrier.delete(file, null);
          assertThat(box()).isEmptyDirectory();
        });
    all.put(
        "move",
        carrier -> {
          carrier.move(file, new StorePath("box/moved"), false);
          assertThat(box().resolve("moved")).hasContent("contents");
        });
    all.put(
        "mkdir",
        carrier -> {
          carrier.makeDirectory(new StorePath("box/made"), false);
          assertThat(box().resolve("made")).isDirectory();
        });
    return all;
  }

  private static PartReceiver partOf(Path target) {
    return new PartReceiver() {
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

  private static void upload(Carrier carrier, Path local, String name) throws FerryException {
    carrier.upload(local, new StorePath(name), TransferOptions.DEFAULT);
    assertThat(folder.resolve("root").resolve(name)).hasSameBinaryContentAs(local);
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

  @ParameterizedTest
  @EnumSource
  void operation_ofEachCaller_comesToWhatItsRulesSay(CarrierChoice choice) throws Exception {
    List<String> expected =
        EXPECTED.lines().map(line -> line.strip().replaceAll(" +", " ")).toList();
    Map<String, Carrier> carriers = new LinkedHashMap<>();
    List<String> actual = new ArrayList<>(List.of(expected.get(0)));
    try {
      for (String caller : expected.get(0).replaceFirst("operation ", "").split(" ")) {
        carriers.put(caller, connect(choice, caller));
      }
      for (Map.Entry<String, Operation> operation : operations().entrySet()) {
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

  @ParameterizedTest
  @EnumSource
  void path_outsideOfTheRules_looksTheSameWhetherItExistsOrNot(CarrierChoice choice)
      throws Exception {
    refill();
    try (Carrier other = connect(choice, "other")) {
      for (Operation operation :
          List.<Operation>of(
              carrier -> carrier.stat(new StorePath("box/f"), false),
              carrier -> carrier.stat(new StorePath("box/x"), false),
              carrier -> carrier.list(new StorePath("box/f")),
              carrier -> carrier.list(new StorePath("box/x")),
              carrier -> carrier.delete(new StorePath("box/f"), null),
              carrier -> carrier.delete(new StorePath("box/x"), null),
              carrier -> carrier.move(new StorePath("box/f"), new StorePath("other"), false),
              carrier -> carrier.move(new StorePath("box/x"), new StorePath("other"), false))) {
        FerryException failure =
            catchThrowableOfType(FerryException.class, () -> operation.run(other));
        assertThat(String.valueOf(failure.getMessage()).replace("box/x", "box/f"))
            .isEqualTo("box/f: no such file");
      }
      assertThat(other.list(StorePath.ROOT)).isEmpty();
    }
    try (Carrier reader = connect(choice, "reader")) {
      assertThat(reader.list(StorePath.ROOT)).extracting(FileFacts::name).containsExactly("box");
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusal_ofARequestWithoutAToken_isCounted(CarrierChoice choice) throws Exception {
    Refusals refused =
        choice == CarrierChoice.GRPC ? servers().grpc().refused() : servers().http().refused();
    long before = refused.of(Refusals.Reason.NO_CALLER);
    try (Carrier nobody = connect(choice, "nobody")) {
      FerryException failure =
          catchThrowableOfType(
              FerryException.class, () -> nobody.stat(new StorePath("box/f"), false));
      assertThat(failure).hasMessage("this server serves only requests with a token");
    }
    assertThat(refused.of(Refusals.Reason.NO_CALLER)).isEqualTo(before + 1);
  }
}
