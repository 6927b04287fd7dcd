package dev.ferry.cli.operate;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.util.List;
import java.util.Locale;
import org.slf4j.LoggerFactory;

/** The level and the format of the log of this process. */
final class Logs {
  private static final List<String> LEVELS = List.of("error", "warn", "info", "debug");

  /** Of what has no SLF4J. Held, since the JDK forgets the levels of loggers that nobody holds. */
  private static final java.util.logging.Logger WITHOUT_SLF4J =
      java.util.logging.Logger.getLogger("dev.ferry");

  private Logs() {}

  private static Logger root() {
    return ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(Logger.ROOT_LOGGER_NAME);
  }

  /** Returns the least level that is logged, in lower case. */
  static String level() {
    return root().getLevel().toString().toLowerCase(Locale.ROOT);
  }

  /**
   * Sets the least level that is logged. Libraries that report their errors by exceptions stay as
   * they are.
   *
   * @throws IllegalArgumentException if it is none; the message is one line
   */
  static void setLevel(String level) {
    String name = level.toLowerCase(Locale.ROOT);
    if (!LEVELS.contains(name)) {
      throw new IllegalArgumentException(
          "'" + level + "' is no level; give one of " + String.join(", ", LEVELS));
    }
    root().setLevel(Level.toLevel(name));
    WITHOUT_SLF4J.setLevel(name.equals("debug") ? java.util.logging.Level.FINE : null);
  }

  /** Makes each line a JSON object. */
  static void toJson() {
    Logger root = root();
    root.iteratorForAppenders()
        .forEachRemaining(
            appender -> {
              if (appender instanceof ConsoleAppender<ILoggingEvent> console) {
                JsonEncoder json = new JsonEncoder();
                json.setContext(root.getLoggerContext());
                json.setWithFormattedMessage(true);
                json.setWithMessage(false);
                json.setWithArguments(false);
                json.setWithContext(false);
                json.setWithSequenceNumber(false);
                json.setWithNanoseconds(false);
                json.start();
                console.setEncoder(json);
              }
            });
  }
}
