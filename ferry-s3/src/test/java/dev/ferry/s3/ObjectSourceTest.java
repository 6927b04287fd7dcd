package dev.ferry.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.Background;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.s3.store.ProxyStore;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** An object that is closed while it is read. */
@Timeout(300)
final class ObjectSourceTest {
  private static final int MIB = 1 << 20;
  private static final int SIZE = 3 * MIB;

  /** Memory of another transfer: of the rest, a source requests 1 MiB at a time. */
  private static final int OTHER = 16 * MIB;

  private final Slabs slabs = new Slabs(OTHER + 8 * MIB);
  private final Slabs.Share share = slabs.share(CallerShares.NOBODY);

  @SuppressWarnings("NullAway.Init")
  private ProxyStore proxy;

  @SuppressWarnings("NullAway.Init")
  private S3Client client;

  @BeforeEach
  void start() throws Exception {
    proxy = ProxyStore.start();
    client = proxy.bucket().client(0);
    ByteBuffer unused = share.take(OTHER);
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    proxy.close();
  }

  private ObjectSource open(Executor requests) {
    String bucket = proxy.bucket().name();
    String tag =
        client
            .putObject(
                r -> r.bucket(bucket).key("file"), RequestBody.fromBytes(TestFiles.random(SIZE, 1)))
            .eTag();
    FileFacts facts =
        new FileFacts("file", SIZE, Instant.EPOCH, false, null).withVersion(Bucket.unquoted(tag));
    return new ObjectSource(new Bucket(client, bucket, ""), "file", facts, share, requests);
  }

  @Test
  void close_whileTheEndOfARangeIsTaken_requestsNoMore() throws Exception {
    BlockingQueue<Runnable> requests = new LinkedBlockingQueue<>();
    ObjectSource source = open(requests::add);
    source.readAhead(0, SIZE);
    ByteBuffer read = ByteBuffer.allocate(MIB);
    Background<ByteBuffer> reading =
        Background.start(
            () -> {
              source.readFully(read, 0);
              return read;
            });
    Runnable first = requests.take();
    // The thread that reads needs this lock after it has taken the bytes.
    synchronized (source) {
      first.run();
      while (read.hasRemaining()) {
        Thread.sleep(1);
      }
      source.close();
    }
    assertThat(reading.result().hasRemaining()).isFalse();
    assertThat(requests).isEmpty();
    assertThat(slabs.used()).isEqualTo(OTHER);
  }

  @Test
  void close_whileADigestIsComputed_endsIt() {
    AtomicInteger requested = new AtomicInteger();
    AtomicReference<@Nullable ObjectSource> opened = new AtomicReference<>();
    ObjectSource source =
        open(
            request -> {
              if (requested.incrementAndGet() == 2) {
                Objects.requireNonNull(opened.get()).close();
              }
              request.run();
            });
    opened.set(source);
    // The second time, the source is closed already.
    for (int i = 0; i < 2; i++) {
      FerryException failure =
          catchThrowableOfType(FerryException.class, () -> source.digest(Digest.Algorithm.SHA256));
      assertThat(failure).isNotNull();
      assertThat(failure.kind()).isEqualTo(ErrorKind.CANCELLED);
      assertThat(requested).hasValue(2);
      assertThat(slabs.used()).isEqualTo(OTHER);
    }
  }
}
