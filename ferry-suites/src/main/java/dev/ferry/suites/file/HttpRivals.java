package dev.ferry.suites.file;

import dev.ferry.suites.rival.HttpRival;
import dev.ferry.suites.rival.apache.ApacheClients;
import dev.ferry.suites.rival.armeria.ArmeriaFileClient;
import dev.ferry.suites.rival.jdk.JdkFileClient;
import dev.ferry.suites.rival.jetty.JettyFileClient;
import dev.ferry.suites.rival.okhttp.OkHttpFileClient;
import dev.ferry.suites.rival.reactor.ReactorFileClient;
import java.util.List;

/** The HTTP clients of others: a line here registers one with its tables and its tests. */
public final class HttpRivals {
  /** The baseline. */
  public static final HttpRival JDK = new HttpRival(FileTransports.HTTP_CLIENT, JdkFileClient::new);

  /** The others, in the order of the tables. */
  public static final List<HttpRival> ALL =
      List.of(
          new HttpRival("OkHttp", OkHttpFileClient::new),
          new HttpRival("Apache", ApacheClients::connect),
          new HttpRival("Jetty", JettyFileClient::new),
          new HttpRival("ReactorNetty", ReactorFileClient::new),
          new HttpRival("Armeria", ArmeriaFileClient::new));

  private HttpRivals() {}
}
