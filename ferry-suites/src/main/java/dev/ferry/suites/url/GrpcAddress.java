package dev.ferry.suites.url;

import dev.ferry.lab.model.LabException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A method of a gRPC server in plain text.
 *
 * @param host a name or an address
 * @param port its port
 * @param service the full name of the service, with its package
 * @param method the name of the method
 */
public record GrpcAddress(String host, int port, String service, String method) {
  private static final Pattern FORM =
      Pattern.compile(
          "(?<host>[A-Za-z0-9._-]{1,255}|\\[[0-9A-Fa-f:.]{2,45}])"
              + ":(?<port>\\d{1,5})"
              + "/(?<service>[A-Za-z_][A-Za-z0-9_.]{0,500})"
              + "/(?<method>[A-Za-z_][A-Za-z0-9_]{0,200})");
  private static final int MOST_PORT = 65_535;

  /**
   * Parses an address as it is typed.
   *
   * @throws LabException if the text is none
   */
  public static GrpcAddress parse(String text) throws LabException {
    Matcher form = FORM.matcher(text);
    int port = form.matches() ? Integer.parseInt(form.group("port")) : 0;
    if (port < 1 || port > MOST_PORT) {
      throw LabException.usage(
          "--grpc is '" + text + "'; give one like example.org:50051/package.Service/Method");
    }
    return new GrpcAddress(form.group("host"), port, form.group("service"), form.group("method"));
  }

  /** Returns the address as it is typed. */
  @Override
  public String toString() {
    return host + ":" + port + "/" + service + "/" + method;
  }
}
