package dev.ferry.suites.url;

import dev.ferry.lab.model.Reason;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RowSpec.Bounds;
import dev.ferry.lab.suite.RowSpec.Needs;
import dev.ferry.lab.suite.RowSpec.Work;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Every HTTP client against a server that is already there. The address is a parameter of the rows,
 * so that forks know it and runs with different addresses are not compared.
 *
 * <p>Only the client runs here, so heap and CPU of a row are those of the client.
 */
public final class UrlSuite extends Suite {
  private static final String URL = "Url";

  /** The system property of a fork with the file of the address, if the row does not show all. */
  private static final String ADDRESS = "ferry.url.address";

  private final List<Table> tables;
  private final long bytesPerSecond;
  private final @Nullable Path address;

  /** Creates the suite of forks, which has no tables: forks only run rows. */
  public UrlSuite() {
    this(List.of(), 0, null);
  }

  private UrlSuite(List<Table> tables, long bytesPerSecond, @Nullable Path address) {
    super(
        "url", "one file of a server that is already there, by every HTTP client at its defaults");
    this.tables = tables;
    this.bytesPerSecond = bytesPerSecond;
    this.address = address;
  }

  /**
   * Creates the suite of an address.
   *
   * @param bytesPerSecond the mean rate that rows keep to by pauses between downloads; 0 for no
   *     limit
   * @param http2 whether the server also speaks HTTP/2
   * @param address a file with the whole address, from which forks read it; null if the address has
   *     no query, which a run does not show
   */
  public UrlSuite(URI url, long bytesPerSecond, boolean http2, @Nullable Path address) {
    this(
        List.of(
            new Table(
                "download",
                List.of(new Parameter(URL, List.of(ShownUrl.of(url.toString())))),
                UrlClients.methods(http2),
                UrlClients.HTTP_CLIENT)),
        bytesPerSecond,
        address);
  }

  @Override
  public List<Table> tables() {
    return tables;
  }

  @Override
  public RowSpec row(RowKey key) {
    List<String> flags = new ArrayList<>(ForeignRate.flags(bytesPerSecond));
    if (address != null) {
      flags.add("-D" + ADDRESS + "=" + address.toAbsolutePath());
    }
    boolean foreign = key.method().startsWith(UrlClients.CURL);
    return new RowSpec(
        key,
        RowSpec.Promise.identity(UrlClients.protocol(key.method()), 1),
        Work.FILE.with(profile -> ForeignRate.settings(bytesPerSecond, profile)),
        new Needs(
            flags,
            () -> Optional.ofNullable(foreign ? UrlClients.curlObstacle(key.method()) : null),
            foreign,
            null),
        Bounds.NONE,
        workplace -> RowServer.of(0, () -> {}),
        (workplace, port) -> {
          URI url = url(key);
          return new DownloadOperation(
              ShownUrl.of(url.toString()),
              new UrlDownload(UrlClients.start(key.method()), url),
              workplace);
        });
  }

  /** Downloads from one address, and shows no query of it. */
  private record UrlDownload(UrlClient client, URI url) implements DownloadOperation.Download {
    @Override
    public String get(Path target) throws IOException {
      try {
        return client.get(url, target);
      } catch (IOException | RuntimeException e) {
        if (url.getRawQuery() == null) {
          throw e;
        }
        // The causes may name the whole address as well, and the run's log has their messages.
        throw new IOException(ShownUrl.in(Reason.of(e), url));
      }
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private static URI url(RowKey row) throws IOException {
    String file = System.getProperty(ADDRESS);
    return URI.create(
        file == null ? String.valueOf(row.parameters().get(URL)) : Files.readString(Path.of(file)));
  }
}
