package dev.ferry.s3;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Reads a range of one version of an object into a buffer. One thread runs it, and others take the
 * bytes as they arrive. If the connection is lost, the rest of the range is requested again.
 */
final class RangeRead implements Runnable {
  /** Bytes to read from a connection at once. */
  private static final int READ_BYTES = 128 * 1024;

  private static final int ATTEMPTS = 4;

  private final Bucket bucket;
  private final String key;
  private final String version;
  private final String label;
  private final long from;
  private final Slabs.Share slabs;
  private final ByteBuffer buffer;
  private int filled;
  private int taken;

  /** Bytes that a thread waits for, the fewest if there are several. */
  private int wanted = Integer.MAX_VALUE;

  private boolean running;
  private boolean released;
  private @Nullable FerryException failure;
  private @Nullable ResponseInputStream<GetObjectResponse> stream;

  /**
   * @param version the entity tag that the object must have
   * @param label the name of the file in messages
   * @param from the position of the first byte
   * @param buffer as large as the range; {@link #release} gives it back
   */
  RangeRead(
      Bucket bucket,
      String key,
      String version,
      String label,
      long from,
      Slabs.Share slabs,
      ByteBuffer buffer) {
    this.bucket = bucket;
    this.key = key;
    this.version = version;
    this.label = label;
    this.from = from;
    this.slabs = slabs;
    this.buffer = buffer;
  }

  long from() {
    return from;
  }

  long end() {
    return from + buffer.limit();
  }

  @Override
  public void run() {
    synchronized (this) {
      if (released) {
        return;
      }
      running = true;
    }
    try {
      for (int attempt = 1; !isOver(); attempt++) {
        fill(attempt == ATTEMPTS);
      }
    } catch (FerryException e) {
      fail(e);
    } catch (RuntimeException | Error e) {
      fail(new FerryException(ErrorKind.INTERNAL, label + ": cannot be read: " + e, e));
    } finally {
      ended();
    }
  }

  private synchronized boolean isOver() {
    return released || filled == buffer.limit();
  }

  /**
   * Requests the rest of the range and reads it.
   *
   * @param last whether a lost connection is a failure
   */
  private void fill(boolean last) throws FerryException {
    long first = from + filled;
    byte[] bytes = new byte[READ_BYTES];
    try (ResponseInputStream<GetObjectResponse> response =
        Bucket.call(
            label,
            () ->
                bucket
                    .client()
                    .getObject(
                        r ->
                            r.bucket(bucket.name())
                                .key(key)
                                .ifMatch(version)
                                .range("bytes=" + first + "-" + (end() - 1))))) {
      if (!begun(response)) {
        response.abort();
        return;
      }
      while (!isOver()) {
        int count = response.read(bytes, 0, Math.min(bytes.length, buffer.limit() - filled));
        if (count < 0) {
          throw new IOException("the response ended early");
        }
        add(bytes, count);
      }
    } catch (FerryException e) {
      throw e.kind() == ErrorKind.VERSION_MISMATCH || e.kind() == ErrorKind.NOT_FOUND
          ? new FerryException(
              ErrorKind.FILE_CHANGED,
              label + ": changed while it was read: the object was replaced or deleted",
              e)
          : e;
    } catch (IOException | SdkException e) {
      if (last && !isOver()) {
        throw S3Failures.lost(e, label);
      }
    } finally {
      synchronized (this) {
        stream = null;
      }
    }
  }

  private synchronized boolean begun(ResponseInputStream<GetObjectResponse> response) {
    stream = response;
    return !released;
  }

  private synchronized void add(byte[] bytes, int count) {
    if (!released) {
      buffer.put(filled, bytes, 0, count);
      filled += count;
      if (filled >= wanted) {
        wanted = Integer.MAX_VALUE;
        notifyAll();
      }
    }
  }

  private synchronized void fail(FerryException e) {
    failure = e;
    notifyAll();
  }

  private synchronized void ended() {
    running = false;
    if (released) {
      slabs.give(buffer);
    }
  }

  /**
   * Copies bytes of the range. Waits until they are there.
   *
   * @param position the position of the first byte in the file, which is in this range
   * @param more bytes that are wanted at once, of this range or of later ones; all of them are
   *     awaited, since it costs more to wait than to copy
   * @return whether all bytes of the range have now been taken
   */
  synchronized boolean take(ByteBuffer destination, long position, long more)
      throws FerryException {
    int at = (int) (position - from);
    int count = Math.min(destination.remaining(), buffer.limit() - at);
    int needed = (int) Math.min(at + more, buffer.limit());
    while (filled < needed && failure == null && !released) {
      wanted = Math.min(wanted, needed);
      try {
        wait();
      } catch (InterruptedException e) {
        throw FerryException.interrupted(label + ": the server is closing", e);
      }
    }
    if (released) {
      throw new FerryException(ErrorKind.CANCELLED, label + ": cancelled");
    }
    if (filled < at + count) {
      throw failure;
    }
    destination.put(destination.position(), buffer, at, count);
    destination.position(destination.position() + count);
    taken += count;
    return taken >= buffer.limit();
  }

  /** Ends the request and gives the buffer back. Ends each {@link #take} that waits. */
  void release() {
    ResponseInputStream<GetObjectResponse> open;
    synchronized (this) {
      if (released) {
        return;
      }
      released = true;
      notifyAll();
      if (!running) {
        slabs.give(buffer);
      }
      open = filled < buffer.limit() ? stream : null;
    }
    if (open != null) {
      open.abort();
    }
  }
}
