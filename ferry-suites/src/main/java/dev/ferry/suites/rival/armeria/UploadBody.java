package dev.ferry.suites.rival.armeria;

import static java.util.Objects.requireNonNull;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.ferry.suites.rival.Gunzip;
import dev.ferry.suites.rival.PartFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * The body of an upload, which workers write to a new file, one part after the other. A few parts
 * are requested ahead. The event loop of the request calls it.
 */
final class UploadBody implements Subscriber<HttpObject> {
  private static final int AHEAD = 16;
  private static final int AT_ONCE = AHEAD / 2;

  private final Path target;
  private final boolean isGzip;
  private final Executor workers;
  private final CompletableFuture<HttpResponse> response = new CompletableFuture<>();
  private @Nullable Subscription body;
  private CompletableFuture<Void> steps = CompletableFuture.completedFuture(null);

  // Used by one step after the other.
  private @Nullable PartFile file;
  private @Nullable Gunzip gunzip;
  private int written;

  UploadBody(Path target, boolean isGzip, Executor workers) {
    this.target = target;
    this.isGzip = isGzip;
    this.workers = workers;
  }

  /** Returns the response, which is there when the file is stored or refused. */
  CompletableFuture<HttpResponse> response() {
    return response;
  }

  /** A step of the upload. */
  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  private void then(Step step) {
    steps =
        steps.thenRunAsync(
            () -> {
              try {
                step.run();
              } catch (IOException | RuntimeException e) {
                fail(e);
              }
            },
            workers);
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    body = subscription;
    then(
        () -> {
          file = new PartFile(target);
          gunzip = isGzip ? new Gunzip(file, SentBody.BUFFER_BYTES) : null;
        });
    subscription.request(AHEAD);
  }

  @Override
  public void onNext(HttpObject object) {
    then(
        () -> {
          if (object instanceof HttpData data) {
            try (data) {
              write(data.byteBuf().nioBuffer());
            }
          }
          // Also after a failure, since a body that is not read keeps its response back.
          written++;
          if (written % AT_ONCE == 0) {
            requireNonNull(body).request(AT_ONCE);
          }
        });
  }

  private void write(ByteBuffer bytes) {
    try {
      if (gunzip != null) {
        gunzip.write(bytes);
      } else if (file != null) {
        file.write(bytes);
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  @Override
  public void onComplete() {
    then(
        () -> {
          if (gunzip != null) {
            gunzip.finish();
          }
          if (file != null) {
            file.commit();
            response.complete(HttpResponse.of(HttpStatus.CREATED));
          }
          close();
        });
  }

  @Override
  public void onError(Throwable cause) {
    then(() -> fail(cause));
  }

  private void fail(Throwable cause) {
    response.complete(HttpResponse.ofFailure(cause));
    try {
      close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private void close() throws IOException {
    PartFile opened = file;
    file = null;
    if (gunzip != null) {
      gunzip.close();
      gunzip = null;
    }
    if (opened != null) {
      opened.close();
    }
  }
}
