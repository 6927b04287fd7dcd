package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/** Bodies and names that no client of good will sends: none brings an error of the server. */
class HostileWebDavTest {
  private static @Nullable HttpFilesServer server;

  @BeforeContainer
  static void start() throws IOException {
    Path root = Files.createTempDirectory("hostile");
    Files.createDirectories(root.resolve("d/e"));
    Files.writeString(root.resolve("f"), "hello");
    server =
        HttpFilesServer.start(
            LocalFileStore.open(root), "localhost", 0, 4096, ServerSettings.defaults());
  }

  @AfterContainer
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static void assertAnswered(String head, byte[] body) throws IOException {
    if (server == null) {
      throw new IllegalStateException("the server runs in all tests");
    }
    String length = body.length == 0 ? "" : "Content-Length: " + body.length + "\r\n";
    assertThat(RawHttp.exchange(server.port(), head + length, body))
        .as(head)
        .matches("(?s)HTTP/1.1 [234].*")
        .doesNotContain("root:x:");
  }

  @Property(tries = 400, shrinking = ShrinkingMode.OFF)
  void body_hostile_isNoErrorOfTheServer(
      @ForAll("methods") String method, @ForAll("bodies") byte[] body) throws IOException {
    assertAnswered(method + " /files/f HTTP/1.1\r\nDepth: 0\r\n", body);
  }

  @Provide
  Arbitrary<String> methods() {
    return Arbitraries.of("PROPFIND", "PROPPATCH", "LOCK");
  }

  @Provide
  Arbitrary<byte[]> bodies() {
    Arbitrary<String> documents =
        Arbitraries.oneOf(
            Arbitraries.of(
                "<propfind xmlns='DAV:'><allprop/></propfind>",
                "<propfind xmlns='DAV:'><prop><a:b xmlns:a='urn:&#38;'/><getetag/></prop></propfind>",
                "<propertyupdate xmlns='DAV:'><set><prop><lastmodified>99999999999</lastmodified>"
                    + "</prop></set></propertyupdate>",
                "<propertyupdate xmlns='DAV:'><set><prop><getlastmodified>Thu, 99 Foo 9999</"
                    + "getlastmodified></prop></set><remove/></propertyupdate>",
                "<lockinfo xmlns='DAV:'><lockscope><shared/></lockscope><locktype><write/>"
                    + "</locktype><owner>]]&gt;<![CDATA[<x>]]></owner></lockinfo>"),
            Arbitraries.of("file:///etc/passwd", "http://127.0.0.1:1/", "ftp://x", "")
                .map(
                    uri ->
                        "<!DOCTYPE a [<!ENTITY b SYSTEM '"
                            + uri
                            + "'>]><propfind xmlns='DAV:'>&b;"
                            + "<allprop/></propfind>"),
            Arbitraries.integers().between(1, 20).map(HostileWebDavTest::bomb),
            Arbitraries.integers()
                .between(1, 9000)
                .map(depth -> "<a>".repeat(depth) + "</a>".repeat(depth)),
            Arbitraries.integers()
                .between(1, 3000)
                .map(
                    n -> "<propfind xmlns='DAV:'><prop>" + "<x/>".repeat(n) + "</prop></propfind>"),
            Arbitraries.integers()
                .between(1, 3000)
                .map(n -> "<propfind xmlns='DAV:' " + "a".repeat(n) + "='&lt;' b='" + n + "'/>"),
            Arbitraries.strings().ofMaxLength(300));
    Arbitrary<String> declarations =
        Arbitraries.of("", "utf-8", "UTF-16", "UTF-32", "EBCDIC-CP-US", "x", "ISO-8859-1", "UTF-7")
            .map(name -> name.isEmpty() ? "" : "<?xml version='1.0' encoding='" + name + "'?>");
    Arbitrary<Charset> encodings =
        Arbitraries.of(
            StandardCharsets.UTF_8,
            StandardCharsets.UTF_16,
            StandardCharsets.UTF_16LE,
            StandardCharsets.ISO_8859_1);
    Arbitrary<Double> parts = Arbitraries.of(1.0, 1.0, 0.9, 0.5, 0.1);
    return Combinators.combine(declarations, documents, encodings, parts, Arbitraries.bytes())
        .as(
            (declaration, document, encoding, part, other) -> {
              byte[] bytes = (declaration + document).getBytes(encoding);
              byte[] cut = Arrays.copyOf(bytes, (int) (bytes.length * part));
              if (cut.length > 0 && other < 0) {
                cut[cut.length / 2] = other;
              }
              return cut;
            });
  }

  /** Entities that would become some billion times as long. */
  private static String bomb(int levels) {
    StringBuilder text = new StringBuilder("<!DOCTYPE a [<!ENTITY e0 'x'>");
    for (int i = 1; i <= levels; i++) {
      text.append("<!ENTITY e").append(i).append(" '").append(("&e" + (i - 1) + ";").repeat(10));
      text.append("'>");
    }
    return text.append("]><propfind xmlns='DAV:'><prop>&e" + levels + ";</prop></propfind>")
        .toString();
  }

  @Property(tries = 1000, shrinking = ShrinkingMode.OFF)
  void names_hostile_areNoErrorOfTheServer(
      @ForAll("requests") String request, @ForAll("names") String name) throws IOException {
    assertAnswered(request.formatted(name) + "\r\n", new byte[0]);
  }

  @Provide
  Arbitrary<String> requests() {
    return Arbitraries.of(
        "PROPFIND /files/%s HTTP/1.1\r\nDepth: 1",
        "COPY /files/f HTTP/1.1\r\nDestination: /files/%s",
        "COPY /files/d/ HTTP/1.1\r\nOverwrite: T\r\nDestination: http://localhost/files/%s",
        "MOVE /files/%s HTTP/1.1\r\nDestination: /files/x",
        "MOVE /files/no HTTP/1.1\r\nOverwrite: T\r\nDestination: /files/%s",
        "MKCOL /files/%s HTTP/1.1\r\nIf: </files/%1$s> (<urn:x> [\"%1$s\"])",
        "UNLOCK /files/f HTTP/1.1\r\nLock-Token: <%s>");
  }

  @Provide
  Arbitrary<String> names() {
    Arbitrary<String> parts =
        Arbitraries.oneOf(
            Arbitraries.of(
                List.of("..", "%2e%2e", "/", "//", "%2f", "%5c", "%00", "%", "%zz", ".")),
            Arbitraries.of(
                "%c0%ae", "%ff", "%e2%80%ae", "%f0%9f%92%a9", "%ed%a0%80", "%0d%0a", "?"),
            Arbitraries.of(
                "<", ">", "\"", "'", "&", "%3Cscript%3E", ".ferry-x", "d", "e", "f", "#"),
            Arbitraries.of(
                "a".repeat(255), "b".repeat(256), "%C3%A4".repeat(128), "d/".repeat(900)),
            Arbitraries.strings().withCharRange('!', '~').ofMaxLength(12));
    return parts.list().ofMinSize(1).ofMaxSize(5).map(list -> String.join("", list));
  }
}
