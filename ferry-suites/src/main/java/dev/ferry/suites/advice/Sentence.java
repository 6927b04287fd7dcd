package dev.ferry.suites.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One or more sentences of advice.
 *
 * @param text what a user reads
 * @param claims all that it says about rows
 */
record Sentence(String text, List<Claim> claims) {
  Sentence {
    claims = List.copyOf(claims);
  }

  /** Returns one text of several. */
  static Sentence joined(List<Sentence> parts, String between, String before, String after) {
    List<Claim> claims = new ArrayList<>();
    parts.forEach(part -> claims.addAll(part.claims()));
    return new Sentence(
        parts.stream().map(Sentence::text).collect(Collectors.joining(between, before, after)),
        claims);
  }
}
