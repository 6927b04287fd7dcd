package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpResponse;
import dev.ferry.core.FileFacts;
import dev.ferry.http.internal.server.BodyReceiver;
import dev.ferry.http.internal.server.Responses;
import io.netty.buffer.Unpooled;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * A request's body that is written by an {@link BodyReceiver}, which says when more may come. The
 * response is completed once the file is stored or refused.
 */
final class UploadBody implements Subscriber<HttpObject>, BodyReceiver.Listener {
  private final boolean created;
  private final CompletableFuture<HttpResponse> response;
  private final BodyReceiver upload;
  private volatile @Nullable Subscription subscription;

  /**
   * @param created whether the file is new
   * @param begin makes the upload, which reports here
   */
  UploadBody(
      boolean created,
      CompletableFuture<HttpResponse> response,
      Function<UploadBody, BodyReceiver> begin) {
    this.created = created;
    this.response = response;
    this.upload = begin.apply(this);
  }

  @Override
  public void onSubscribe(Subscription body) {
    subscription = body;
    body.request(1);
  }

  @Override
  public void onNext(HttpObject object) {
    if (!(object instanceof HttpData data) || upload.receive(data.byteBuf(), false)) {
      resume();
    }
  }

  @Override
  public void onComplete() {
    upload.receive(Unpooled.EMPTY_BUFFER, true);
  }

  @Override
  public void onError(Throwable cause) {
    upload.abort();
    response.completeExceptionally(cause);
  }

  @Override
  public void resume() {
    Subscription body = subscription;
    if (body != null) {
      body.request(1);
    }
  }

  @Override
  public void stored(FileFacts facts) {
    response.complete(ArmeriaResponses.whole(Responses.stored(facts, created)));
  }

  @Override
  public void failed(Throwable failure) {
    response.complete(ArmeriaResponses.problem(failure));
    // The upload discards the rest of the body. A body that is cancelled before its response has
    // left
    // gets HTTP 500 from Armeria.
    resume();
  }
}
