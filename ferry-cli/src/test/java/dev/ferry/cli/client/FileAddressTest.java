package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ferry.cli.Outcome;
import dev.ferry.cli.Servers;
import dev.ferry.library.Protocol;
import dev.ferry.library.internal.FileAddress;
import dev.ferry.library.internal.FileAddress.Scheme;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
final class FileAddressTest {
  @ParameterizedTest
  @CsvSource({
    "ferry://host, FERRY, host, 7080, ''",
    "ferry://host/, FERRY, host, 7080, ''",
    "FERRY://host:1/a/b c.csv, FERRY, host, 1, a/b c.csv",
    "ferrys://[::1]:71/ü/%C3%BC%20%25, FERRYS, ::1, 71, ü/ü %",
    "http://host/files/a/, HTTP, host, 80, a/",
    "https://host:7080/files/, HTTPS, host, 7080, ''",
    "ferry://host//etc/passwd, FERRY, host, 7080, /etc/passwd"
  })
  void parse_anAddress_hasServerAndPath(
      String text, Scheme scheme, String host, int port, String path) {
    assertThat(FileAddress.isAddress(text)).isTrue();
    FileAddress address = FileAddress.parse(text);
    assertThat(address.scheme()).isEqualTo(scheme);
    assertThat(address.servers(Protocol.HTTP))
        .containsExactly(new dev.ferry.wire.Servers.Address(host, port));
    assertThat(address.path()).isEqualTo(path);
  }

  @ParameterizedTest
  @CsvSource({
    "http://host/ferry/files/a/files/b, /ferry, a/files/b",
    "https://host/a/b/files, /a/b, ''",
    "http://host/files/a/files/b, '', a/files/b",
    "ferry://host/ferry/files/a, '', ferry/files/a"
  })
  void base_ofAnAddress_isBeforeItsFiles(String text, String base, String path) {
    FileAddress address = FileAddress.parse(text);
    assertThat(address.base()).isEqualTo(base);
    assertThat(address.path()).isEqualTo(path);
    assertThat(address.hasServerOf(FileAddress.parse("http://host/x/files/"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "ferry://host/a/*.csv, a/*.csv, a/*.csv",
    "ferry://host/a%3F%2a/%5Bx%5D*.csv, a?*/[x]*.csv, a\\?\\*/\\[x\\]*.csv",
    "http://host/files/%C3%BC%20%5Cb*, ü \\b*, ü\\ \\\\b*"
  })
  void pattern_ofAnAddress_isPlainWhereItIsEncoded(String text, String path, String pattern) {
    FileAddress address = FileAddress.parse(text);
    assertThat(address.path()).isEqualTo(path);
    assertThat(address.pattern()).isEqualTo(pattern);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ferry://a,b,c/p | a:7070, b:7070, c:7070",
        "ferrys://a:7001,[::1]:7002,B | a:7001, [::1]:7002, B:7070",
        "http://a,b:7080/files/p | a:80, b:7080",
        "https://a,b/files/p | a:443, b:443"
      })
  void parse_severalServers_hasAll(String text, String servers) {
    assertThat(FileAddress.isAddress(text)).isTrue();
    assertThat(FileAddress.parse(text).servers(Protocol.GRPC).toString())
        .isEqualTo("[" + servers + "]");
  }

  @Test
  void sorted_sameServersInAnotherOrder_isTheSame() {
    FileAddress one = FileAddress.parse("ferry://b:1,A,c/x");
    FileAddress two = FileAddress.parse("ferry://a:7080,c:7080,B:1/y");
    assertThat(FileAddress.sorted(one.servers(Protocol.HTTP)))
        .isEqualTo(FileAddress.sorted(two.servers(Protocol.HTTP)))
        .containsExactly("a:7080", "b:1", "c:7080");
    assertThat(one.hasServerOf(two)).isTrue();
    assertThat(one.hasServerOf(FileAddress.parse("ferry://a,b:1/x"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a/b", "a:b/c", ":/", "a b://c", "1a://c", "/ferry://c"})
  void isAddress_ofAPath_isFalse(String text) {
    assertThat(FileAddress.isAddress(text)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "ftp://host/a | 'ftp://': no scheme of an address; ",
        "fery://host/a | 'fery://': no scheme of an address; did you mean 'ferry'?",
        "ferry:///a | '' is not HOST, HOST:PORT or [IPV6]:PORT",
        "ferry://host:0/a | 'host:0': port 0 is not from 1 to 65535",
        "ferry://host/a?b | 'ferry://host/a?b': an address has no '?' or '#'",
        "http://host/a | 'http://host/a': the files of a server are below /files/",
        "http://host/a%20b/files/ | '/a%20b' is not a base path, which consists of letters",
        "ferry://host/a%2Fb | 'ferry://host/a%2Fb': an encoded '/' is not allowed",
        "ferry://host/a% | 'ferry://host/a%': '%' needs two hexadecimal digits",
        "ferry://host/%ff | 'ferry://host/%ff': not percent-encoded UTF-8"
      })
  void parse_anythingElse_saysWhatIsWrong(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FileAddress.parse(text))
        .withMessageStartingWith(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ferry://user:secret@host/a", "https://secret@host/files/a", "x://secret@host"})
  void parse_credentials_refusesThemWithoutRepeatingThem(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FileAddress.parse(text))
        .withMessageContainingAll("no credentials", "--token-file", "FERRY_TOKEN")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
  }

  @Test
  void commands_withAddresses_needNoServerAndNoCarrier(@TempDir Path root, @TempDir Path local)
      throws Exception {
    Path file = Files.writeString(local.resolve("file"), "hello");
    try (Servers servers = Servers.start(root)) {
      String ferry = "ferry://127.0.0.1:" + servers.port(CarrierChoice.GRPC) + "/";
      String found = "ferry://127.0.0.1:" + servers.port(CarrierChoice.HTTP) + "/";
      String http = "http://127.0.0.1:" + servers.port(CarrierChoice.HTTP) + "/files/";
      for (String server : new String[] {ferry, found, http}) {
        assertRuns("mkdir", server + "dir/");
        assertRuns("put", file.toString(), server + "dir/");
        assertRuns("mv", server + "dir/file", server + "dir/a b");
        assertRuns("mv", server + "dir/a%20b", "dir/b");
        assertThat(assertRuns("ls", server + "dir").out()).endsWith(" dir/b\n");
        assertThat(assertRuns("ls", server).out()).endsWith(" dir/\n");
        assertThat(assertRuns("stat", server + "dir/b").out()).contains("bytes     5");
        assertRuns("get", server + "dir/b", local.resolve("back").toString(), "--force");
        assertThat(local.resolve("back")).hasContent("hello");
        assertRuns("rm", server + "dir/b", server + "dir/");
      }
      assertThat(assertRuns("ls", "--carrier=http", found).out()).isEmpty();
      assertThat(assertRuns("ls", "--carrier=grpc", ferry).out()).isEmpty();
      Outcome put = Outcome.of("put", "-v", "--zstd", file.toString(), ferry);
      assertThat(put.exitCode()).as(put.err()).isZero();
      assertThat(put.out()).contains(", grpc ");
      assertRefused("--server: " + ferry + " names the server", "ls", ferry, "--server=host");
      assertRefused("--client: grpc is not for http://", "ls", http, "--carrier=grpc");
      assertRefused("--tls: write https:// in the address", "ls", http, "--tls");
      assertRefused("is on another server than the argument before", "mv", ferry + "a", http + "b");
      assertRefused("the path before does not", "rm", "a", ferry + "dir/b");
      assertRefused("an address has no credentials", "rm", "ferry://a:b@127.0.0.1/x");
      assertRefused("it must be relative", "rm", ferry + "/x");
      assertRefused("'..' is not allowed", "cat", http + "%2e%2e/x");
    }
  }

  private static Outcome assertRuns(String... command) {
    Outcome outcome = Outcome.of(command);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    return outcome;
  }

  private static void assertRefused(String message, String... command) {
    Outcome outcome = Outcome.of(command);
    assertThat(outcome.err()).contains(message).hasLineCount(1);
    assertThat(outcome.exitCode()).isEqualTo(2);
  }
}
