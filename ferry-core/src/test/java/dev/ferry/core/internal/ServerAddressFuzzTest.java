package dev.ferry.core.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.ByteSize;
import dev.ferry.core.FuzzTarget;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** Addresses of servers and sizes, as users and configurations give them. */
final class ServerAddressFuzzTest implements FuzzTarget {
  @Override
  public void parse(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    read(() -> check(ServerAddress.parse(text)), text);
    read(() -> check(ServerAddress.parseListening(text)), text);
    read(() -> check(ServerAddress.parseList(text)), text);
    read(() -> check(ByteSize.parse(text)), text);
  }

  private static void read(Supplier<Boolean> parser, String text) {
    try {
      assertThat(parser.get()).as("%s", text).isTrue();
    } catch (IllegalArgumentException e) {
      assertThat(e).isExactlyInstanceOf(IllegalArgumentException.class);
      String message = String.valueOf(e.getMessage());
      assertThat(message).isEqualTo(PlainText.of(message));
    }
  }

  private static boolean check(ServerAddress address) {
    Integer port = address.port();
    if (port == null) {
      return true;
    }
    String formatted = ServerAddress.format(address.host(), port);
    return port == 0
        ? ServerAddress.parseListening(formatted).equals(address)
        : ServerAddress.parse(formatted).equals(address);
  }

  private static boolean check(List<ServerAddress> addresses) {
    return !addresses.isEmpty() && addresses.stream().allMatch(ServerAddressFuzzTest::check);
  }

  private static boolean check(long size) {
    return size >= 0 && ByteSize.parse(ByteSize.shortest(size)) == size;
  }
}
