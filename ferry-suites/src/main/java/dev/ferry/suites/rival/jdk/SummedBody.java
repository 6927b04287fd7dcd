package dev.ferry.suites.rival.jdk;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.zip.CRC32C;

/** Computes the CRC-32C of a body on its way to another subscriber. */
final class SummedBody<T> implements BodySubscriber<T> {
  private static final int COPY_BYTES = 16 * 1024;

  private final BodySubscriber<T> target;
  private final CRC32C crc;

  /** The client gives read-only buffers, for each of which CRC32C would allocate an array. */
  private final byte[] copy = new byte[COPY_BYTES];

  /**
   * Creates a subscriber.
   *
   * @param target what receives the body
   * @param crc has the digest when the body of the target is complete
   */
  SummedBody(BodySubscriber<T> target, CRC32C crc) {
    this.target = target;
    this.crc = crc;
  }

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
      update(buffer.duplicate());
    }
    target.onNext(buffers);
  }

  private void update(ByteBuffer buffer) {
    while (buffer.hasRemaining()) {
      int n = Math.min(copy.length, buffer.remaining());
      buffer.get(copy, 0, n);
      crc.update(copy, 0, n);
    }
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
