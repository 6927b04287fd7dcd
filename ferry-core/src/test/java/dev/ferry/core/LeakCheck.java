package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class in which a buffer of Netty's was not released. Loaded for every class by the
 * service file; the detector's level is set to paranoid by the build. Each leak is reported once,
 * by the class that ends next.
 *
 * <p>Buffers that the client of reactor-netty received are left out: it sometimes loses one when a
 * response is cancelled (github.com/reactor/reactor-netty/issues/3683 and 3780, open).
 */
public final class LeakCheck implements BeforeAllCallback, AfterAllCallback {
  private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();
  private static final int COLLECTION_MILLIS = 60_000;

  /** A handler in the pipeline of reactor-netty, as each of its buffers records it. */
  private static final String REACTOR_NETTY = "'reactor.left.";

  static {
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(
        new ResourceLeakDetectorFactory() {
          @Override
          public <T> ResourceLeakDetector<T> newResourceLeakDetector(
              Class<T> resource, int samplingInterval) {
            return new Recorder<>(resource, samplingInterval);
          }

          @Override
          @SuppressWarnings({"deprecation", "InlineMeSuggester"})
          public <T> ResourceLeakDetector<T> newResourceLeakDetector(
              Class<T> resource, int samplingInterval, long maxActive) {
            return new Recorder<>(resource, samplingInterval);
          }
        });
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    collect();
    // A detector reports collected buffers when a new buffer is allocated.
    ByteBufAllocator.DEFAULT.buffer(1).release();
    List<String> leaks = new ArrayList<>();
    for (String leak; (leak = LEAKS.poll()) != null; ) {
      if (!leak.contains(REACTOR_NETTY)) {
        leaks.add(leak);
      }
    }
    assertThat(leaks).as("leaked buffers").isEmpty();
  }

  /** Collects the garbage, and waits until what was weakly reachable is in its queues. */
  private static void collect() throws InterruptedException {
    ReferenceQueue<Object> collected = new ReferenceQueue<>();
    WeakReference<Object> garbage = new WeakReference<>(new Object(), collected);
    System.gc();
    assertThat(collected.remove(COLLECTION_MILLIS)).isSameAs(garbage);
    Thread.sleep(10); // The order of one collection's references is not defined.
  }

  private static final class Recorder<T> extends ResourceLeakDetector<T> {
    @SuppressWarnings("deprecation")
    Recorder(Class<T> resource, int samplingInterval) {
      super(resource, samplingInterval);
    }

    @Override
    protected boolean needReport() {
      return true;
    }

    @Override
    protected void reportTracedLeak(String resourceType, String records) {
      LEAKS.add(resourceType + ": " + records);
    }

    @Override
    protected void reportUntracedLeak(String resourceType) {
      LEAKS.add(resourceType);
    }
  }
}
