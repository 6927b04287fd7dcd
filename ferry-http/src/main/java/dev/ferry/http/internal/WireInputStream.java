package dev.ferry.http.internal;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A response body that counts its bytes. For one thread at a time. */
public final class WireInputStream extends FilterInputStream {
  private final Call call;
  private long count;
  private boolean ended;

  /**
   * @param call notified of all received data
   */
  public WireInputStream(InputStream body, Call call) {
    super(body);
    this.call = call;
  }

  /** Returns the bytes read so far. */
  public long count() {
    return count;
  }

  /** Returns whether the whole body was read. */
  public boolean ended() {
    return ended;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int n = super.read(bytes, offset, length);
    count += Math.max(n, 0);
    ended |= n < 0;
    call.moved();
    return n;
  }
}
