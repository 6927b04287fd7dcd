package dev.ferry.suites.file;

import dev.ferry.suites.rival.HttpRival;
import dev.ferry.suites.rival.apache.ApacheClients;
import dev.ferry.suites.rival.armeria.ArmeriaHttpCarrier;
import dev.ferry.suites.rival.jetty.JettyHttpCarrier;
import dev.ferry.suites.rival.okhttp.OkHttpCarrier;
import dev.ferry.suites.rival.reactor.ReactorHttpCarrier;
import java.util.List;

/** The HTTP clients of others: a line here registers one with its tables and its tests. */
public final class HttpRivals {
  /** In the order of the tables. */
  public static final List<HttpRival> ALL =
      List.of(
          new HttpRival("OkHttp", OkHttpCarrier::connect, OkHttpCarrier::connectTuned),
          new HttpRival("Apache", ApacheClients::connect, ApacheClients::connectTuned),
          new HttpRival("Jetty", JettyHttpCarrier::connect, JettyHttpCarrier::connectTuned),
          new HttpRival(
              "ReactorNetty", ReactorHttpCarrier::connect, ReactorHttpCarrier::connectTuned),
          new HttpRival("Armeria", ArmeriaHttpCarrier::connect, ArmeriaHttpCarrier::connectTuned));

  private HttpRivals() {}
}
