package dev.ferry.suites.url;

import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every HTTP client against a server that is already there. The address is a parameter of the rows,
 * so that forks know it and runs with different addresses are not compared.
 *
 * <p>Only the client runs here, so heap and CPU of a row are those of the client.
 */
public final class UrlSuite implements Suite {
  private static final String URL = "Url";

  /** The system property of a fork with the file of the address, if the row does not show all. */
  private static final String ADDRESS = "ferry.url.address";

  private final List<Table> tables;
  private final long bytesPerSecond;
  private final @Nullable Path address;

  /** Creates the suite of forks, which has no tables: forks only run rows. */
  public UrlSuite() {
    this.tables = List.of();
    this.bytesPerSecond = 0;
    this.address = null;
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
    this.tables =
        List.of(
            new Table(
                "download",
                List.of(new Parameter(URL, List.of(ShownUrl.of(url.toString())))),
                UrlClients.methods(http2),
                UrlClients.HTTP_CLIENT));
    this.bytesPerSecond = bytesPerSecond;
    this.address = address;
  }

  @Override
  public String name() {
    return "url";
  }

  @Override
  public String description() {
    return "one file of a server that is already there, by every HTTP client at its defaults";
  }

  @Override
  public List<Table> tables() {
    return tables;
  }

  @Override
  public Promise promise(RowKey row) {
    return new Promise(UrlClients.protocol(row.method()), "identity", Codec.NONE, 1);
  }

  @Override
  public List<String> flags(RowKey row) {
    List<String> flags = new ArrayList<>(ForeignRate.flags(bytesPerSecond));
    if (address != null) {
      flags.add("-D" + ADDRESS + "=" + address.toAbsolutePath());
    }
    return flags;
  }

  @Override
  public Settings settings(RowKey row, Settings profile) {
    return ForeignRate.settings(bytesPerSecond, profile);
  }

  @Override
  public @Nullable String obstacle(RowKey row) {
    return foreign(row) ? UrlClients.curlObstacle(row.method()) : null;
  }

  @Override
  public boolean foreign(RowKey row) {
    return row.method().startsWith(UrlClients.CURL);
  }

  @Override
  public RowServer openServer(RowKey row, Workplace workplace) {
    return RowServer.of(0, () -> {});
  }

  @Override
  public Operation openClient(RowKey row, Workplace workplace, int port) throws IOException {
    return new UrlOperation(UrlClients.start(row.method()), url(row), workplace);
  }

  private static URI url(RowKey row) throws IOException {
    String file = System.getProperty(ADDRESS);
    return URI.create(
        file == null ? String.valueOf(row.parameters().get(URL)) : Files.readString(Path.of(file)));
  }
}
