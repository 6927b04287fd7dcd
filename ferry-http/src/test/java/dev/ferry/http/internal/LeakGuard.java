package dev.ferry.http.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Fails a test class during which Netty's leak detector reported a buffer. */
public final class LeakGuard implements BeforeAllCallback, AfterAllCallback {
  private static final int ROUNDS = 4;
  private static final int ALLOCATIONS = 64;

  private final ListAppender<ILoggingEvent> reports = new ListAppender<>();

  private static Logger detectorLog() {
    return (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
    reports.start();
    detectorLog().addAppender(reports);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    // The detector reports what was collected when the next buffer is tracked.
    for (int round = 0; round < ROUNDS; round++) {
      System.gc();
      for (int i = 0; i < ALLOCATIONS; i++) {
        ByteBufAllocator.DEFAULT.directBuffer(64).release();
      }
    }
    detectorLog().detachAppender(reports);
    assertThat(reports.list).extracting(ILoggingEvent::getFormattedMessage).isEmpty();
  }
}
