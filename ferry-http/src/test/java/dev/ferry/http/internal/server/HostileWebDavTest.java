package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Generated;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bodies and names that no client of good will sends: none brings an error of the server. */
class HostileWebDavTest {
  private static final String PRINTABLE =
      IntStream.rangeClosed('!', '~').mapToObj(Character::toString).collect(Collectors.joining());

  private static @Nullable HttpFilesServer server;

  @BeforeAll
  static void start() throws IOException {
    Path root = Files.createTempDirectory("hostile");
    Files.createDirectories(root.resolve("d/e"));
    Files.writeString(root.resolve("f"), "hello");
    server =
        HttpFilesServer.start(
            LocalFileStore.open(root), "localhost", 0, 4096, ServerSettings.defaults());
  }

  @AfterAll
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

  @Test
  void body_hostile_isNoErrorOfTheServer() {
    Generated.check(
        400,
        input ->
            assertAnswered(
                input.of("PROPFIND", "PROPPATCH", "LOCK") + " /files/f HTTP/1.1\r\nDepth: 0\r\n",
                body(input)));
  }

  private static byte[] body(Generated input) {
    String declaration =
        input.of("", "utf-8", "UTF-16", "UTF-32", "EBCDIC-CP-US", "x", "ISO-8859-1", "UTF-7");
    String document =
        (declaration.isEmpty() ? "" : "<?xml version='1.0' encoding='" + declaration + "'?>")
            + document(input);
    Charset encoding =
        input.of(
            StandardCharsets.UTF_8,
            StandardCharsets.UTF_16,
            StandardCharsets.UTF_16LE,
            StandardCharsets.ISO_8859_1);
    byte[] bytes = document.getBytes(encoding);
    byte[] cut = Arrays.copyOf(bytes, (int) (bytes.length * input.of(1.0, 1.0, 0.9, 0.5, 0.1)));
    if (cut.length > 0 && input.flag()) {
      cut[input.between(0, cut.length - 1)] = input.anyByte();
    }
    return cut;
  }

  private static String document(Generated input) {
    int size = input.size(3000);
    return switch (input.between(0, 6)) {
      case 0 ->
          input.of(
              "<propfind xmlns='DAV:'><allprop/></propfind>",
              "<propfind xmlns='DAV:'><prop><a:b xmlns:a='urn:&#38;'/><getetag/></prop></propfind>",
              "<propertyupdate xmlns='DAV:'><set><prop><lastmodified>99999999999</lastmodified>"
                  + "</prop></set></propertyupdate>",
              "<propertyupdate xmlns='DAV:'><set><prop><getlastmodified>Thu, 99 Foo 9999</"
                  + "getlastmodified></prop></set><remove/></propertyupdate>",
              "<lockinfo xmlns='DAV:'><lockscope><shared/></lockscope><locktype><write/>"
                  + "</locktype><owner>]]&gt;<![CDATA[<x>]]></owner></lockinfo>");
      case 1 ->
          "<!DOCTYPE a [<!ENTITY b SYSTEM '"
              + input.of("file:///etc/passwd", "http://127.0.0.1:1/", "ftp://x", "")
              + "'>]><propfind xmlns='DAV:'>&b;<allprop/></propfind>";
      case 2 -> bomb(input.between(1, 20));
      case 3 -> "<a>".repeat(3 * size + 1) + "</a>".repeat(3 * size + 1);
      case 4 -> "<propfind xmlns='DAV:'><prop>" + "<x/>".repeat(size) + "</prop></propfind>";
      case 5 -> "<propfind xmlns='DAV:' a" + "a".repeat(size) + "='&lt;' b='" + size + "'/>";
      default -> input.text(300);
    };
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

  @Test
  void names_hostile_areNoErrorOfTheServer() {
    List<String> requests =
        List.of(
            "PROPFIND /files/%s HTTP/1.1\r\nDepth: 1",
            "COPY /files/f HTTP/1.1\r\nDestination: /files/%s",
            "COPY /files/d/ HTTP/1.1\r\nOverwrite: T\r\nDestination: http://localhost/files/%s",
            "MOVE /files/%s HTTP/1.1\r\nDestination: /files/x",
            "MOVE /files/no HTTP/1.1\r\nOverwrite: T\r\nDestination: /files/%s",
            "MKCOL /files/%s HTTP/1.1\r\nIf: </files/%1$s> (<urn:x> [\"%1$s\"])",
            "UNLOCK /files/f HTTP/1.1\r\nLock-Token: <%s>");
    Generated.check(
        1000,
        input -> {
          String name = input.joined(1, 5, () -> part(input));
          assertAnswered(input.of(requests).formatted(name) + "\r\n", new byte[0]);
        });
  }

  private static String part(Generated input) {
    return switch (input.between(0, 4)) {
      case 0 -> input.of("..", "%2e%2e", "/", "//", "%2f", "%5c", "%00", "%", "%zz", ".");
      case 1 -> input.of("%c0%ae", "%ff", "%e2%80%ae", "%f0%9f%92%a9", "%ed%a0%80", "%0d%0a", "?");
      case 2 -> input.of("<", ">", "\"", "'", "&", "%3Cscript%3E", ".ferry-x", "d", "e", "f", "#");
      case 3 -> input.of("a".repeat(255), "b".repeat(256), "%C3%A4".repeat(128), "d/".repeat(900));
      default -> input.chars(PRINTABLE, 0, 12);
    };
  }
}
