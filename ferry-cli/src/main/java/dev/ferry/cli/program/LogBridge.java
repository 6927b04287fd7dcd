package dev.ferry.cli.program;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Configures java.util.logging, to which grpc-java logs, when the first of its loggers is made: its
 * lines go to SLF4J. By default a warning is two lines. Most commands make no logger, and so load
 * neither of both.
 */
public final class LogBridge {
  /** Called by the JDK. */
  public LogBridge() throws IOException {
    String settings = "handlers=" + SLF4JBridgeHandler.class.getName();
    LogManager.getLogManager()
        .readConfiguration(
            new ByteArrayInputStream(settings.getBytes(StandardCharsets.ISO_8859_1)));
  }
}
