package dev.ferry.wire.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.ServerAddress;
import dev.ferry.core.internal.SystemError;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What goes wrong where a port listens. As a handler of the listening channel, it says in the log
 * why no connection can be taken; Netty, which then waits for a second, says it to nobody.
 */
@Sharable
public final class Listening extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(Listening.class);

  /** What Netty and the JDK say of EADDRINUSE. */
  private static final Pattern IN_USE = Pattern.compile("error\\(-98\\)|in use");

  /** What Netty says before the text of an error of Linux. */
  private static final Pattern CALL = Pattern.compile("^.* failed with error\\(-\\d+\\): ");

  /** Creates a handler. */
  public Listening() {}

  /**
   * Creates the exception for a server that cannot listen.
   *
   * @param cause why; null if the host has no address
   */
  public static FerryException failure(String host, int port, @Nullable Throwable cause) {
    return new FerryException(
        ErrorKind.UNAVAILABLE,
        "cannot listen on " + ServerAddress.format(host, port) + ": " + why(cause),
        cause);
  }

  private static String why(@Nullable Throwable cause) {
    if (cause == null) {
      return "unknown host";
    }
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String text = String.valueOf(root.getMessage());
    return IN_USE.matcher(text).find()
        ? "another program listens there"
        : CALL.matcher(text).replaceFirst("");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.warn(
        "connections wait for a second: {}",
        SystemError.TOO_MANY_FILES.isCauseOf(cause) ? SystemError.RAISE_LIMIT : cause.toString());
    context.fireExceptionCaught(cause);
  }
}
