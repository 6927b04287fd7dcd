package dev.ferry.cli.operate;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import dev.ferry.cli.program.LogLines;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** The level and the format of the log of this process. */
final class Logs {
  private static final List<String> LEVELS = List.of("error", "warn", "info", "debug");

  /** Of what has no SLF4J. Held, since the JDK forgets the levels of loggers that nobody holds. */
  private static final java.util.logging.Logger WITHOUT_SLF4J =
      java.util.logging.Logger.getLogger("dev.ferry");

  private Logs() {}

  static Logger logger(String name) {
    return ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(name);
  }

  private static Logger root() {
    return logger(Logger.ROOT_LOGGER_NAME);
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
          "'" + level + "' is not a level; give one of " + String.join(", ", LEVELS));
    }
    root().setLevel(Level.toLevel(name));
    WITHOUT_SLF4J.setLevel(name.equals("debug") ? java.util.logging.Level.FINE : null);
  }

  /** Makes each line a JSON object. */
  static void toJson() {
    layOut(new JsonLine());
  }

  /** Begins each line with its time. */
  static void toText() {
    layOut(LogLines.timed());
  }

  private static void layOut(Layout<ILoggingEvent> layout) {
    layout.setContext(root().getLoggerContext());
    layout.start();
    for (ConsoleAppender<ILoggingEvent> console : consoles()) {
      if (console.getEncoder() instanceof LayoutWrappingEncoder<ILoggingEvent> lines) {
        lines.setLayout(layout);
      }
    }
  }

  /** Has threads of their own write what is logged to standard error. The caller closes them. */
  static List<ServerLog> apart() {
    return consoles().stream().map(ServerLog::new).toList();
  }

  /** The user may have configured others. */
  private static List<ConsoleAppender<ILoggingEvent>> consoles() {
    List<ConsoleAppender<ILoggingEvent>> consoles = new ArrayList<>();
    root()
        .iteratorForAppenders()
        .forEachRemaining(
            appender -> {
              if (appender instanceof ConsoleAppender<ILoggingEvent> console) {
                consoles.add(console);
              }
            });
    return consoles;
  }

  /** A line with fields of its own, such as that of a request, has them in place of a message. */
  private static final class JsonLine extends LayoutBase<ILoggingEvent> {
    @Override
    public String doLayout(ILoggingEvent event) {
      Map<String, Object> line = LineText.begin(event.getInstant());
      line.put("level", event.getLevel().toString());
      line.put("logger", event.getLoggerName());
      List<KeyValuePair> fields = event.getKeyValuePairs();
      if (fields == null || fields.isEmpty()) {
        line.put("message", event.getFormattedMessage());
      } else {
        fields.forEach(field -> line.put(field.key, field.value));
      }
      if (event.getThrowableProxy() != null) {
        line.put("stackTrace", ThrowableProxyUtil.asString(event.getThrowableProxy()));
      }
      return new String(LineText.of(line), StandardCharsets.US_ASCII);
    }
  }
}
