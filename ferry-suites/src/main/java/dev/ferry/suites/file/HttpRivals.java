package dev.ferry.suites.file;

import dev.ferry.suites.rival.HttpRival;
import dev.ferry.suites.rival.apache.ApacheClients;
import dev.ferry.suites.rival.armeria.ArmeriaHttpCarrier;
import dev.ferry.suites.rival.jdk.JdkHttpCarrier;
import dev.ferry.suites.rival.jetty.JettyHttpCarrier;
import dev.ferry.suites.rival.okhttp.OkHttpCarrier;
import dev.ferry.suites.rival.reactor.ReactorHttpCarrier;
import java.util.List;

/** The HTTP clients of others: a line here registers one with its tables and its tests. */
public final class HttpRivals {
  /** The baseline. */
  public static final HttpRival JDK =
      new HttpRival(FileTransports.HTTP_CLIENT, JdkHttpCarrier::new);

  /** The others, in the order of the tables. */
  public static final List<HttpRival> ALL =
      List.of(
          new HttpRival("OkHttp", OkHttpCarrier::new),
          new HttpRival("Apache", ApacheClients::connect),
          new HttpRival("Jetty", JettyHttpCarrier::new),
          new HttpRival("ReactorNetty", ReactorHttpCarrier::new),
          new HttpRival("Armeria", ArmeriaHttpCarrier::new));

  private HttpRivals() {}
}
