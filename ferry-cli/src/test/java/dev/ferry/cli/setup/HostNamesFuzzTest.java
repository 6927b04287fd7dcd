package dev.ferry.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FuzzTarget;
import dev.ferry.core.internal.PlainText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Names for the certificate of a server, one a line. */
final class HostNamesFuzzTest implements FuzzTarget {
  @Override
  public void parse(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    try {
      List<String> names = HostNames.with(Arrays.asList(text.split("\n", -1)));
      assertThat(names).contains("localhost").doesNotHaveDuplicates();
      // Each is to be a part of an argument, in a list with commas.
      assertThat(names).allMatch(name -> name.matches("[A-Za-z0-9.:%_-]+"));
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      assertThat(e).isExactlyInstanceOf(IllegalArgumentException.class);
      assertThat(message).isEqualTo(PlainText.of(message));
    }
  }
}
