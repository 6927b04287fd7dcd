package dev.ferry.http.internal.http1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;

/**
 * The bytes of one connection, in plain text or decrypted. {@code read} and {@code write} block.
 * {@code write} writes all bytes of its buffer. For one thread at a time, but any thread may close
 * it, which ends a read or a write.
 */
interface BlockingTransport extends ByteChannel {
  /**
   * Reads the bytes that have arrived, without waiting.
   *
   * @param to a buffer with space for {@link TlsTransport#MAX_RECORD} bytes
   * @return -1 at the end
   */
  int readArrived(ByteBuffer to) throws IOException;

  /**
   * Reads at least one byte unless none arrives in time.
   *
   * @param to a buffer with space for {@link TlsTransport#MAX_RECORD} bytes
   * @param millis the time to wait, from 1
   * @return 0 if no byte has arrived in time; -1 at the end
   */
  int readWithin(ByteBuffer to, int millis) throws IOException;
}
