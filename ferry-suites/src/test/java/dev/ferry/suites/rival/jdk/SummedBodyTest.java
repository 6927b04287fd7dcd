package dev.ferry.suites.rival.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Flow.Subscription;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

final class SummedBodyTest {
  @Test
  void onNext_anyBuffer_isSummedAndPassedOn() {
    byte[] body = new byte[100_000];
    new Random(1).nextBytes(body);
    CRC32C expected = new CRC32C();
    expected.update(body);
    CRC32C crc = new CRC32C();
    BodySubscriber<byte[]> summed = new SummedBody<>(BodySubscribers.ofByteArray(), crc);
    ByteBuffer direct = ByteBuffer.allocateDirect(1_000).put(body, 40_000, 1_000).flip();

    summed.onSubscribe(
        new Subscription() {
          @Override
          public void request(long n) {}

          @Override
          public void cancel() {}
        });
    summed.onNext(List.of(ByteBuffer.wrap(body, 0, 40_000).asReadOnlyBuffer(), direct));
    summed.onNext(List.of(ByteBuffer.wrap(body, 41_000, 59_000)));
    summed.onComplete();

    assertThat(crc.getValue()).isEqualTo(expected.getValue());
    assertThat(summed.getBody().toCompletableFuture().join()).isEqualTo(body);
  }
}
