package dev.ferry.cli.program;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.ferry.core.internal.PlainText;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.slf4j.Logger;

/**
 * Configures Logback: warnings go to standard error, one line each. It is code because parsing an
 * XML file takes longer than listing a folder. Logback finds it through a service file. The system
 * property {@code logback.configurationFile} overrides it.
 */
public final class LogLines extends ContextAwareBase implements Configurator {
  /** Libraries whose warnings are suppressed, because the exception reports the error. */
  private static final List<String> STACKS =
      List.of(
          "io.netty",
          "io.grpc",
          "reactor",
          "org.eclipse.jetty",
          "com.linecorp.armeria",
          "org.jline");

  @Override
  public ExecutionStatus configure(LoggerContext loggers) {
    if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    Line line = new Line(false);
    line.setContext(loggers);
    line.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(loggers);
    encoder.setLayout(line);
    encoder.start();
    ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
    stderr.setContext(loggers);
    stderr.setTarget(ConsoleTarget.SystemErr.getName());
    stderr.setEncoder(encoder);
    stderr.start();
    STACKS.forEach(name -> loggers.getLogger(name).setLevel(Level.ERROR));
    ch.qos.logback.classic.Logger root = loggers.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(stderr);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** Returns the lines of a server, which begin with their time. */
  public static Layout<ILoggingEvent> timed() {
    return new Line(true);
  }

  /**
   * Prints no stack trace; commands report failures as one line. Names of files may have line
   * breaks and must not begin a line of their own.
   */
  private static final class Line extends LayoutBase<ILoggingEvent> {
    private final boolean timed;

    Line(boolean timed) {
      this.timed = timed;
    }

    @Override
    public String doLayout(ILoggingEvent event) {
      String logger = event.getLoggerName();
      String time = timed ? event.getInstant().truncatedTo(ChronoUnit.MILLIS).toString() + " " : "";
      return time
          + event.getLevel()
          + " "
          + logger.substring(logger.lastIndexOf('.') + 1)
          + ": "
          + PlainText.of(event.getFormattedMessage() + cause(event))
          + System.lineSeparator();
    }

    private static String cause(ILoggingEvent event) {
      IThrowableProxy thrown = event.getThrowableProxy();
      if (thrown == null) {
        return "";
      }
      String message = thrown.getMessage();
      return ": " + thrown.getClassName() + (message == null ? "" : ": " + message);
    }
  }
}
