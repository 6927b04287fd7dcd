package dev.ferry.suites.url;

import dev.ferry.core.Sha256;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Downloads the file of an address, each time into a new file. */
final class UrlOperation implements Operation {
  static final String PROTOCOL = HttpProtocol.HTTP_1_1.wireName();

  /** The shortest time between two downloads with a limited rate. */
  private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final UrlClient client;
  private final URI url;
  private final Workplace workplace;
  private final long pauseNanos;
  private int count;
  private Path target;

  /**
   * Takes over a client, and closes it.
   *
   * @param bytesPerSecond the mean rate, kept to by pauses before samples; 0 for no limit
   */
  UrlOperation(UrlClient client, URI url, Workplace workplace, long bytesPerSecond) {
    this.client = client;
    this.url = url;
    this.workplace = workplace;
    this.target = workplace.client();
    this.pauseNanos =
        bytesPerSecond == 0
            ? 0
            : Math.max(LEAST_PAUSE_NANOS, (long) (1e9 * workplace.size() / bytesPerSecond));
  }

  @Override
  public void prepare() throws IOException {
    target = workplace.client().resolve("target-" + ProcessHandle.current().pid() + "-" + ++count);
    try {
      TimeUnit.NANOSECONDS.sleep(pauseNanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    client.get(url, target);
  }

  @Override
  public Outcome outcome() {
    return Outcome.identity(workplace.size(), PROTOCOL);
  }

  @Override
  public void check(int operation) throws IOException {
    Sha256 received = Sha256.ofFile(target);
    if (!received.equals(workplace.sha256())) {
      throw new IOException(
          "%s gave %,d bytes with SHA-256 %s; when the run began, %,d bytes with SHA-256 %s"
              .formatted(url, Files.size(target), received, workplace.size(), workplace.sha256()));
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
