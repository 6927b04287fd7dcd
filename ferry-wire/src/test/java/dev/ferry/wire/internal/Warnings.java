package dev.ferry.wire.internal;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import org.slf4j.LoggerFactory;

/** Collects all log events of level WARN and above while it is open. */
public final class Warnings implements AutoCloseable {
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final ch.qos.logback.classic.Logger slf4j =
      ((LoggerContext) LoggerFactory.getILoggerFactory())
          .getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final java.util.logging.Logger jul = LogManager.getLogManager().getLogger("");

  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
            heard.add(event.getLevel() + " " + event.getLoggerName() + ": " + text(event));
          }
        }
      };

  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord event) {
          if (event.getLevel().intValue() >= java.util.logging.Level.WARNING.intValue()) {
            heard.add(
                event.getLevel()
                    + " "
                    + event.getLoggerName()
                    + ": "
                    + event.getMessage()
                    + " "
                    + event.getThrown());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** Begins. */
  public Warnings() {
    appender.start();
    slf4j.addAppender(appender);
    jul.addHandler(handler);
  }

  private static String text(ILoggingEvent event) {
    String message = event.getFormattedMessage();
    return event.getThrowableProxy() == null
        ? message
        : message + " " + event.getThrowableProxy().getMessage();
  }

  /** A line for each. */
  public List<String> heard() {
    return heard;
  }

  @Override
  public void close() {
    slf4j.detachAppender(appender);
    jul.removeHandler(handler);
  }
}
