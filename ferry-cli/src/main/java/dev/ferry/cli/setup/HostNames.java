package dev.ferry.cli.setup;

import dev.ferry.core.internal.PlainText;
import io.netty.util.NetUtil;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The names and addresses in the certificate of a server. */
final class HostNames {
  /** What a certificate takes: letters, digits and hyphens. */
  private static final Pattern NAME =
      Pattern.compile(
          "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*");

  /** The characters of the longest name (RFC 1035, 2.3.4). */
  private static final int LONGEST = 253;

  private HostNames() {}

  /**
   * Returns the given names and {@code localhost}. A certificate is shown to everyone who connects,
   * so it has no other names and addresses of this machine.
   *
   * @param given host names or literal addresses; they come first
   * @return without brackets around IPv6 addresses; not empty
   * @throws IllegalArgumentException if a given name cannot stand in a certificate
   */
  static List<String> with(List<String> given) {
    Set<String> names = new LinkedHashSet<>();
    for (String name : given) {
      boolean brackets = name.startsWith("[") && name.endsWith("]");
      String bare = brackets ? name.substring(1, name.length() - 1) : name;
      if (!isAddress(bare) && !isName(bare)) {
        throw new IllegalArgumentException(
            "'"
                + PlainText.of(name)
                + "' cannot be used in a certificate; use letters, digits, hyphens and dots");
      }
      names.add(bare);
    }
    names.add("localhost");
    return List.copyOf(names);
  }

  private static boolean isName(String text) {
    return text.length() <= LONGEST && NAME.matcher(text).matches();
  }

  /** Whether the text is a literal address, without brackets and without a zone of this machine. */
  static boolean isAddress(String host) {
    return NetUtil.isValidIpV4Address(host)
        || (host.indexOf('%') < 0 && NetUtil.isValidIpV6Address(host));
  }
}
