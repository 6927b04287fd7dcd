package dev.ferry.library.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FuzzTarget;
import dev.ferry.core.internal.PlainText;
import dev.ferry.library.Protocol;
import java.nio.charset.StandardCharsets;

/** Addresses of files with their servers, which users copy from elsewhere. */
final class FileAddressFuzzTest implements FuzzTarget {
  @Override
  public void parse(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    parse(text);
    parse("ferry://" + text);
    parse("https://a/files/" + text);
  }

  private static void parse(String text) {
    try {
      FileAddress address = FileAddress.parse(text);
      assertThat(FileAddress.isAddress(text)).isTrue();
      assertThat(address.servers(address.protocol())).isNotEmpty();
      assertThat(address.hasServerOf(address)).isTrue();
      assertThat(address.servers(Protocol.GRPC)).allMatch(server -> server.port() > 0);
      if (!text.contains("%")) {
        assertThat(text + "/").contains(address.path());
        assertThat(address.pattern()).isEqualTo(address.path());
      }
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      assertThat(e).isExactlyInstanceOf(IllegalArgumentException.class);
      assertThat(message).isEqualTo(PlainText.of(message));
    }
  }
}
