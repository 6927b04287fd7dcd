package dev.ferry.suites.calls;

import dev.ferry.lab.model.Part;
import dev.ferry.lab.suite.Operation;
import dev.ferry.suites.tls.LoopbackTls;
import java.io.IOException;
import java.util.List;

/** Calls on new connections whose handshakes are all full ones, or all resume a session. */
final class HandshakeTask implements Operation {
  private final Operation calls;
  private final LoopbackTls tls;
  private final boolean resumes;
  private long fullBefore;

  /**
   * Takes ownership of the calls and closes them.
   *
   * @param calls each makes a connection of its own
   * @param tls of all these connections
   */
  HandshakeTask(Operation calls, LoopbackTls tls, boolean resumes) {
    this.calls = calls;
    this.tls = tls;
    this.resumes = resumes;
  }

  @Override
  public void prepare() throws IOException {
    // Leaves a session.
    calls.run(0, 0);
    calls.prepare();
    fullBefore = tls.fullHandshakes();
  }

  @Override
  public void settle() {
    calls.settle();
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    if (!resumes) {
      tls.forgetSessions();
    }
    calls.run(worker, operation);
  }

  @Override
  public Outcome outcome() throws IOException {
    return calls.outcome();
  }

  @Override
  public void checkAll(int operations) throws IOException {
    long full = tls.fullHandshakes() - fullBefore;
    if (full != (resumes ? 0 : operations)) {
      throw new IOException(
          "%d of %d handshakes were full ones, and the others resumed a session"
              .formatted(full, operations));
    }
    calls.checkAll(operations);
  }

  @Override
  public List<Part> parts(int operations, long nanos) {
    return calls.parts(operations, nanos);
  }

  @Override
  public void close() throws IOException {
    calls.close();
  }
}
