package dev.ferry.suites.url;

import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.suite.Operation;
import java.io.IOException;

/** Makes one call again and again; each of them has to end with the status OK. */
final class GrpcOperation implements Operation {
  static final String PROTOCOL = HttpProtocol.H2C.wireName();

  private final GrpcClient client;
  private final byte[] request;
  private long bytes;

  /** Takes over a client, and closes it. */
  GrpcOperation(GrpcClient client, byte[] request) {
    this.client = client;
    this.request = request;
    this.bytes = request.length;
  }

  @Override
  public void prepare() throws IOException {
    ForeignRate.pause(bytes);
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    bytes = request.length + client.call(request).length;
  }

  @Override
  public Outcome outcome() {
    return Outcome.identity(bytes, PROTOCOL);
  }

  @Override
  public void close() {
    client.close();
  }
}
