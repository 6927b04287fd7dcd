package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.internal.PlainText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Paths of requests, and rules with paths. */
final class StoreRuleFuzzTest implements FuzzTarget {
  private static final Path ROOT = Path.of("/root/of/store");

  @Override
  public void parse(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    path(text);
    rule(text);
    rule("write:/" + text);
  }

  private static void path(String text) {
    try {
      StorePath path = StorePath.parse(text);
      assertThat(path).hasToString(text).isEqualTo(StorePath.parse(path.value()));
      assertThat(path.isWithin(path.parent()) && path.isWithin(StorePath.ROOT)).isTrue();
      assertThat(path.parent().child(path.name())).isEqualTo(path);
      assertThat(StorePath.compare(path.parent().value(), text)).isNegative();
      assertThat(input(text).length).isBetween(1, StorePath.MAX_PATH_BYTES);
      Path resolved = ROOT.resolve(text);
      assertThat(resolved.normalize()).isEqualTo(resolved).startsWithRaw(ROOT).isNotEqualTo(ROOT);
    } catch (FerryException e) {
      assertRefused(e, text);
    }
  }

  private static byte[] input(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void rule(String text) {
    try {
      StoreRule rule = StoreRule.parse(text);
      assertThat(StoreRule.parse(rule.toString())).isEqualTo(rule);
      assertThat(rule.permits(rule.permission(), rule.path())).isTrue();
      assertThat(rule.toString()).isEqualTo(PlainText.of(rule.toString()));
      if (!rule.path().equals(StorePath.ROOT)) {
        assertThat(rule.permits(rule.permission(), rule.path().parent())).isFalse();
        assertThat(rule.permits(rule.permission(), new StorePath(rule.path() + "x"))).isFalse();
      }
    } catch (FerryException e) {
      assertRefused(e, text);
    }
  }

  private static void assertRefused(FerryException e, String text) {
    assertThat(e.kind()).isIn(ErrorKind.INVALID_PATH, ErrorKind.INVALID_REQUEST);
    String message = String.valueOf(e.getMessage());
    assertThat(message).isEqualTo(PlainText.of(message));
    // A message is not much longer than what it quotes, with escapes.
    assertThat(message.length()).isLessThan(200 + 12 * text.length());
  }
}
