package dev.ferry.suites.url;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** Downloads files as the documentation of its library shows. For one thread. */
interface UrlClient extends AutoCloseable {
  /**
   * Downloads a file, following redirects.
   *
   * @param target a file that does not exist yet
   * @return the protocol of the response, as ALPN names it: {@code http/1.1} or {@code h2}
   * @throws IOException if the response is not 200, or its body is not complete
   */
  String get(URI url, Path target) throws IOException;

  @Override
  void close();
}
