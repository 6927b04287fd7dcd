package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The table of routes, and what is made of it. */
final class RouteTest {
  private static final String BEGIN = "<!-- the table of Route -->\n";
  private static final String END = "<!-- its end -->\n";

  @Test
  void page_hasTheTableOfAllRoutes() throws IOException {
    String page = Files.readString(Path.of("../docs/http.md"));
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    assertThat(begin).isPositive();
    assertThat(end).isGreaterThan(begin);

    assertThat(page.substring(begin + BEGIN.length(), end))
        .as("what stands in docs/http.md behind " + BEGIN)
        .isEqualTo(Route.table());
  }

  @Test
  void allowed_ofEachResource_areItsMethodsWithoutACondition() {
    String changes = "DELETE, MKCOL, COPY, MOVE, PROPFIND, PROPPATCH, LOCK, UNLOCK";

    assertThat(allowed(HttpRoutes.FILES + "a")).isEqualTo("OPTIONS, GET, HEAD, PUT, " + changes);
    assertThat(allowed(HttpRoutes.FILES + "a/")).isEqualTo("OPTIONS, GET, HEAD, " + changes);
    assertThat(allowed(HttpRoutes.UPLOADS + "1")).isEqualTo("OPTIONS, HEAD, PATCH, DELETE");
    assertThat(allowed(HttpRoutes.HEALTH)).isEqualTo("GET, HEAD");
    assertThat(allowed(HttpRoutes.SIGN_OUT)).isEqualTo("POST");
    assertThat(Route.methods()).isEqualTo("GET, HEAD, PUT, POST, PATCH, " + changes);
  }

  private static String allowed(String path) {
    return Route.allowed(new FileRequest(path, "", EmptyHttpHeaders.INSTANCE, true));
  }
}
