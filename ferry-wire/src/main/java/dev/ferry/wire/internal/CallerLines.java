package dev.ferry.wire.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Sha256;
import dev.ferry.core.StoreRule;
import dev.ferry.core.internal.PlainText;
import dev.ferry.wire.Caller;
import dev.ferry.wire.CallerLimits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The lines of a {@link dev.ferry.wire.CallersFile}, and what callers are known by. */
public final class CallerLines {
  /** The first lines of a new file. */
  public static final List<String> HEAD =
      List.of(
          "# The users of a Ferry server, one a line: name, SHA-256 of the token, rules.",
          "# 'ferry token add' adds one and prints its token, which is not kept here.");

  private static final String FORM =
      "write NAME sha256:HEX RULE..., or let 'ferry token add' do it";
  private static final Pattern FIELD = Pattern.compile("[^ \t]+");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");
  private static final String PREFIX = "ferry_";
  private static final int TOKEN_BYTES = 32;

  private CallerLines() {}

  /** By what a server knows a caller. */
  public enum Credential {
    /** The SHA-256 of a token, in hexadecimal digits. */
    TOKEN("sha256:", "token"),
    /** A name of {@link ClientNames}. */
    CERTIFICATE("cert:", "certificate"),
    /** The subject of a JWT. */
    SUBJECT("jwt:", "subject");

    private final String prefix;
    private final String noun;

    Credential(String prefix, String noun) {
      this.prefix = prefix;
      this.noun = noun;
    }
  }

  /**
   * A line.
   *
   * @param value of the credential
   * @param former the token before the last change of it; null for none
   */
  public record Entry(Caller caller, Credential credential, String value, @Nullable Former former) {
    private String known() {
      return credential.prefix + value;
    }
  }

  /**
   * A token that a caller may still use.
   *
   * @param value its SHA-256
   * @param until when it is of no use any more
   */
  public record Former(String value, Instant until) {
    private static final String PREFIX = "was:";

    private static @Nullable Former parse(String name, String field) throws FerryException {
      if (!field.startsWith(PREFIX)) {
        return null;
      }
      int end = field.lastIndexOf(':');
      try {
        return new Former(
            checked(name, Credential.TOKEN, field.substring(end + 1)),
            Instant.parse(field.substring(PREFIX.length(), Math.max(PREFIX.length(), end))));
      } catch (DateTimeException e) {
        throw malformed(
            "'" + field + "' is not a former token; remove it, or let 'ferry token' do it");
      }
    }

    @Override
    public String toString() {
      return PREFIX + until + ':' + value;
    }
  }

  /** Makes a token of 256 random bits that can stand in an HTTP field and a URL. */
  public static String newToken() {
    byte[] bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Returns the SHA-256 of a token. */
  public static Sha256 digest(String token) {
    try {
      return Sha256.of(
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException | FerryException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Reads lines.
   *
   * @param file for messages
   * @throws FerryException if a line is malformed; the message names the file and the line
   */
  public static List<Entry> parse(Path file, List<String> lines) throws FerryException {
    List<Entry> entries = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Set<String> credentials = new HashSet<>();
    for (int i = 0; i < lines.size(); i++) {
      List<String> fields = fields(lines.get(i));
      if (fields.isEmpty() || fields.get(0).startsWith("#")) {
        continue;
      }
      try {
        Entry entry = entry(fields);
        if (!names.add(entry.caller().name())) {
          throw malformed("there is a user '" + entry.caller().name() + "'; take another name");
        }
        if (!credentials.add(entry.known())) {
          throw malformed(
              "another user has this " + entry.credential().noun + "; give each its own");
        }
        entries.add(entry);
      } catch (FerryException e) {
        throw new FerryException(
            ErrorKind.INVALID_REQUEST, file + ":" + (i + 1) + ": " + e.getMessage(), e);
      }
    }
    return entries;
  }

  private static List<String> fields(String line) {
    return FIELD.matcher(line).results().map(MatchResult::group).toList();
  }

  private static Entry entry(List<String> fields) throws FerryException {
    String name = requireName(fields.get(0));
    for (Credential credential : Credential.values()) {
      if (fields.size() >= 3 && fields.get(1).startsWith(credential.prefix)) {
        Former former = credential == Credential.TOKEN ? Former.parse(name, fields.get(2)) : null;
        List<String> rules =
            fields.subList(former == null ? 2 : 3, fields.size()).stream()
                .map(CallerLines::unescaped)
                .toList();
        String value = unescaped(fields.get(1).substring(credential.prefix.length()));
        return new Entry(caller(name, rules), credential, checked(name, credential, value), former);
      }
    }
    throw malformed("'" + name + "' has no digest or no rule; " + FORM);
  }

  /**
   * Parses a caller.
   *
   * @param rules at least one, and perhaps limits
   * @throws FerryException if something is malformed
   */
  public static Caller caller(String name, List<String> rules) throws FerryException {
    List<StoreRule> permitted = new ArrayList<>();
    CallerLimits limits = CallerLimits.NONE;
    for (String rule : rules) {
      if (CallerLimits.isLimit(rule)) {
        limits = limits.with(rule);
      } else {
        permitted.add(StoreRule.parse(rule));
      }
    }
    if (permitted.isEmpty()) {
      throw malformed("'" + name + "' has no rule; give one such as read:/");
    }
    return new Caller(requireName(name), permitted, limits);
  }

  private static String unescaped(String field) {
    return field.replace("%20", " ").replace("%25", "%");
  }

  private static String escaped(String value) {
    return value.replace("%", "%25").replace(" ", "%20");
  }

  private static String checked(String name, Credential credential, String value)
      throws FerryException {
    return switch (credential) {
      case TOKEN -> {
        try {
          yield Sha256.of(HexFormat.of().parseHex(value)).toString();
        } catch (IllegalArgumentException | FerryException e) {
          throw malformed("the digest of '" + name + "' is not 64 hexadecimal digits; " + FORM);
        }
      }
      case CERTIFICATE -> ClientNames.parse(value);
      case SUBJECT -> {
        if (value.isBlank()) {
          throw malformed("the subject of '" + name + "' is empty; write it after jwt:");
        }
        if (value.chars().anyMatch(Character::isISOControl)) {
          // A line of the file could not have it.
          throw malformed(
              "the subject '" + PlainText.of(value) + "' has control characters; take another");
        }
        yield value;
      }
    };
  }

  private static String requireName(String name) throws FerryException {
    if (!NAME.matcher(name).matches()) {
      throw malformed("'" + name + "' is not a name; take letters, digits and . _ @ -");
    }
    return name;
  }

  private static FerryException malformed(String message) {
    return new FerryException(ErrorKind.INVALID_REQUEST, message);
  }

  /**
   * Writes the line of a caller.
   *
   * @throws FerryException if the credential is malformed
   */
  public static String line(Entry entry) throws FerryException {
    Caller caller = entry.caller();
    Credential credential = entry.credential();
    StringBuilder line =
        new StringBuilder(caller.name())
            .append("  ")
            .append(credential.prefix)
            .append(escaped(checked(caller.name(), credential, entry.value())));
    if (entry.former() != null) {
      line.append("  ").append(entry.former());
    }
    for (StoreRule rule : caller.rules()) {
      line.append("  ").append(escaped(rule.toString()));
    }
    for (String limit : caller.limits().texts()) {
      line.append("  ").append(limit);
    }
    return line.toString();
  }

  /** Returns whether a line is that of a caller. */
  public static boolean isOf(String line, String name) {
    List<String> fields = fields(line);
    return !fields.isEmpty() && fields.get(0).equals(name);
  }
}
