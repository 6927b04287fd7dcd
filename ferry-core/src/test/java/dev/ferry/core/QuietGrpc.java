package dev.ferry.core;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Silences grpc-java while a class of tests provokes it: it logs what clients do wrong, and each
 * call that it cuts off, as a warning with a stack trace.
 */
public final class QuietGrpc implements BeforeAllCallback, AfterAllCallback {
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  @Override
  public void beforeAll(ExtensionContext context) {
    GRPC.setLevel(Level.SEVERE);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    GRPC.setLevel(null);
  }
}
