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
import dev.ferry.suites.rival.Programs;
import java.io.IOException;
import java.net.URI;
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

  /** The system property of a fork with the bytes per second that it may download. */
  private static final String RATE = "ferry.url.bytes-per-second";

  /** Warm-up downloads of a row with a limited rate. */
  private static final int LIMITED_WARM_UP = 4;

  private final List<Table> tables;
  private final long bytesPerSecond;

  /** Creates the suite of forks, which has no tables: forks only run rows. */
  public UrlSuite() {
    this.tables = List.of();
    this.bytesPerSecond = 0;
  }

  /**
   * Creates the suite of an address.
   *
   * @param bytesPerSecond the mean rate that rows keep to by pauses between downloads; 0 for no
   *     limit
   */
  public UrlSuite(URI url, long bytesPerSecond) {
    this.tables =
        List.of(
            new Table(
                "download",
                List.of(new Parameter(URL, List.of(url.toString()))),
                UrlClients.methods(),
                UrlClients.HTTP_CLIENT));
    this.bytesPerSecond = bytesPerSecond;
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
    return new Promise(UrlOperation.PROTOCOL, "identity", Codec.NONE, 1);
  }

  @Override
  public List<String> flags(RowKey row) {
    return bytesPerSecond == 0 ? List.of() : List.of("-D" + RATE + "=" + bytesPerSecond);
  }

  @Override
  public Settings settings(RowKey row, Settings profile) {
    return bytesPerSecond == 0
        ? profile
        : new Settings(
            profile.rounds(),
            profile.samplesPerRound(),
            0,
            profile.maxWarmupMillis(),
            LIMITED_WARM_UP,
            LIMITED_WARM_UP);
  }

  @Override
  public @Nullable String obstacle(RowKey row) {
    return row.method().equals(UrlClients.CURL) && Programs.find(UrlClients.PROGRAM).isEmpty()
        ? "no curl; install it, or leave its row out"
        : null;
  }

  @Override
  public boolean foreign(RowKey row) {
    return row.method().equals(UrlClients.CURL);
  }

  @Override
  public RowServer openServer(RowKey row, Workplace workplace) {
    return RowServer.of(0, () -> {});
  }

  @Override
  public Operation openClient(RowKey row, Workplace workplace, int port) throws IOException {
    return new UrlOperation(
        UrlClients.start(row.method()),
        URI.create(String.valueOf(row.parameters().get(URL))),
        workplace,
        Long.getLong(RATE, 0));
  }
}
