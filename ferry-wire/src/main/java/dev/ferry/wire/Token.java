package dev.ferry.wire;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.internal.HostName;
import dev.ferry.wire.internal.contract.Limits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The token by which a server knows a client. Who has it can do what the client may do, so no
 * message and no {@link #toString} contains it. Immutable.
 */
public final class Token {
  /** What may follow {@code Bearer} in a request (RFC 6750, 2.1). */
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

  private final String text;
  private final boolean plainText;

  private Token(String text, boolean plainText) {
    this.text = text;
    this.plainText = plainText;
  }

  /**
   * Parses a token, as {@code ferry token add} prints it. Blanks and line ends around it are
   * ignored.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is malformed, or has more
   *     than 16,384 characters; the message does not quote it
   */
  public static Token parse(String text) throws FerryException {
    String token = text.strip();
    if (token.length() > Limits.MAX_TOKEN) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "this token has more than %d characters; have its issuer leave claims out"
              .formatted(Limits.MAX_TOKEN));
    }
    if (!FORM.matcher(token).matches()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "this is not a token, which is one word such as ferry_...; copy it again");
    }
    return new Token(token, false);
  }

  /**
   * Reads a token from a file that contains nothing else.
   *
   * @throws FerryException if the file cannot be read or contains something else; the message names
   *     the file and the remedy
   */
  public static Token read(Path file) throws FerryException {
    try {
      return parse(Files.readString(file, StandardCharsets.UTF_8));
    } catch (FerryException e) {
      throw new FerryException(e.kind(), file + ": " + e.getMessage(), e);
    } catch (NoSuchFileException e) {
      throw new FerryException(ErrorKind.NOT_FOUND, file + ": no such file; check the path", e);
    } catch (IOException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          file + ": cannot be read; check that it is a text file, and its permissions",
          e);
    }
  }

  /**
   * Returns a token that is also sent in plain text to other machines. Everyone between the client
   * and the server can then read it.
   */
  public Token inPlainText() {
    return new Token(text, true);
  }

  /**
   * Returns whether the token may be sent to a host: over TLS, to this machine by the name {@code
   * localhost} or a literal loopback address, or if {@link #inPlainText} permits it. Other names
   * may lead to other machines: some resolvers ask the network for {@code x.localhost}. Ferry's
   * clients reach this machine without a proxy.
   */
  public boolean maySendTo(String host, boolean tls) {
    return tls || plainText || HostName.isThisMachine(host);
  }

  /**
   * Returns the value of the field {@code Authorization}, for the clients of Ferry.
   *
   * @throws IllegalArgumentException if the token {@linkplain #maySendTo may not be sent} there
   */
  public String authorization(String host, boolean tls) {
    if (!maySendTo(host, tls)) {
      throw new IllegalArgumentException(
          "a token is not sent to " + host + " in plain text; use TLS, or Token.inPlainText");
    }
    return "Bearer " + text;
  }

  /** Omits the token. */
  @Override
  public String toString() {
    return "Token";
  }
}
