package dev.ferry.http.internal;

import dev.ferry.core.internal.CallReport;
import java.net.ProtocolException;

/** A server that speaks another protocol than HTTP/1.1, as its first bytes show. */
public final class OtherProtocolException extends ProtocolException {
  private static final long serialVersionUID = 1L;

  private final CallReport.Peer peer;

  public OtherProtocolException(CallReport.Peer peer) {
    super("no HTTP/1.1: " + peer);
    this.peer = peer;
  }

  /** What the server is. */
  CallReport.Peer peer() {
    return peer;
  }
}
