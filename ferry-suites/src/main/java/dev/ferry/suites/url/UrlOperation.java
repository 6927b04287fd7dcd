package dev.ferry.suites.url;

import dev.ferry.core.Sha256;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** Downloads the file of an address, each time into a new file. */
final class UrlOperation implements Operation {
  private final UrlClient client;
  private final URI url;
  private final Workplace workplace;
  private int count;
  private Path target;
  private String protocol = "";

  /** Takes over a client, and closes it. */
  UrlOperation(UrlClient client, URI url, Workplace workplace) {
    this.client = client;
    this.url = url;
    this.workplace = workplace;
    this.target = workplace.client();
  }

  @Override
  public void prepare() throws IOException {
    target = workplace.client().resolve("target-" + ProcessHandle.current().pid() + "-" + ++count);
    ForeignRate.pause(workplace.size());
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    try {
      protocol = client.get(url, target);
    } catch (IOException | RuntimeException e) {
      if (url.getRawQuery() == null) {
        throw e;
      }
      // The causes may name the whole address as well, and the run's log has their messages.
      throw new IOException(ShownUrl.in(Reason.of(e), url));
    }
  }

  @Override
  public Outcome outcome() {
    return Outcome.identity(workplace.size(), protocol);
  }

  @Override
  public void check(int operation) throws IOException {
    Sha256 received = Sha256.ofFile(target);
    if (!received.equals(workplace.sha256())) {
      throw new IOException(
          "%s gave %,d bytes with SHA-256 %s; when the run began, %,d bytes with SHA-256 %s"
              .formatted(
                  ShownUrl.of(url.toString()),
                  Files.size(target),
                  received,
                  workplace.size(),
                  workplace.sha256()));
    }
    discard(operation);
  }

  @Override
  public void discard(int operation) throws IOException {
    Files.delete(target);
  }

  @Override
  public void close() {
    client.close();
  }
}
