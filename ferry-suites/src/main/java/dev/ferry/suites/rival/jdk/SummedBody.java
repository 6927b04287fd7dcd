package dev.ferry.suites.rival.jdk;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.zip.CRC32C;

/**
 * Computes the CRC-32C of a body on its way to another subscriber.
 *
 * @param target what receives the body
 * @param crc has the digest when the body of the target is complete
 */
record SummedBody<T>(BodySubscriber<T> target, CRC32C crc) implements BodySubscriber<T> {
  @Override
  public CompletionStage<T> getBody() {
    return target.getBody();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    target.onSubscribe(subscription);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      crc.update(buffer.duplicate());
    }
    target.onNext(buffers);
  }

  @Override
  public void onError(Throwable failure) {
    target.onError(failure);
  }

  @Override
  public void onComplete() {
    target.onComplete();
  }
}
