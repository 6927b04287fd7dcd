package dev.ferry.suites.calls;

import dev.ferry.suites.calls.ItemsCall.ItemVisitor;
import dev.ferry.suites.tls.LoopbackTls;
import java.io.IOException;

/**
 * Gets an item on a new connection each time. All handshakes are full ones, or all resume a
 * session.
 */
final class HandshakeTask extends ItemsTask {
  private final LoopbackTls tls;
  private final boolean resumes;
  private long fullBefore;

  /**
   * Takes ownership of the invoker and closes it.
   *
   * @param invoker makes a connection for each call
   * @param steps the steps that the invoker marks
   * @param tls of all these connections
   */
  HandshakeTask(
      Invoker<Long, ItemVisitor> invoker,
      CallSteps steps,
      String protocol,
      LoopbackTls tls,
      boolean resumes) {
    super(invoker, 1, steps, protocol);
    this.tls = tls;
    this.resumes = resumes;
  }

  @Override
  public void prepare() throws IOException {
    // Leaves a session.
    super.run(0, 0);
    super.prepare();
    fullBefore = tls.fullHandshakes();
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    if (!resumes) {
      tls.forgetSessions();
    }
    super.run(worker, operation);
  }

  @Override
  public void checkAll(int operations) throws IOException {
    long full = tls.fullHandshakes() - fullBefore;
    if (full != (resumes ? 0 : operations)) {
      throw new IOException(
          "%d of %d handshakes were full ones, and the others resumed a session"
              .formatted(full, operations));
    }
    super.checkAll(operations);
  }
}
