package dev.ferry.suites.own;

import com.google.protobuf.ByteString;
import example.blobs.Blob;
import io.grpc.stub.CallStreamObserver;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Sends a file as generated messages while the stream is ready: grpc-java's example of manual flow
 * control, without which a whole file would wait in memory. grpc-java calls it on one thread at a
 * time.
 */
final class BlobSender implements Closeable {
  private final CallStreamObserver<Blob> call;
  private final Blob first;
  private final FileChannel file;
  private final long size;
  private final byte[] buffer;
  private final Bytes bytes;
  private long offset;
  private boolean begun;
  private volatile boolean over;

  /** Makes the bytes of a message of the buffer, in which the next bytes come after it was sent. */
  @FunctionalInterface
  interface Bytes {
    ByteString of(byte[] buffer, int offset, int length);
  }

  private BlobSender(
      CallStreamObserver<Blob> call, Blob first, FileChannel file, int chunkSize, Bytes bytes)
      throws IOException {
    this.call = call;
    this.first = first;
    this.file = file;
    this.size = file.size();
    this.buffer = new byte[chunkSize];
    this.bytes = bytes;
  }

  /** Sends from now on, whenever the stream is ready, and closes the file at the end. */
  static BlobSender start(
      CallStreamObserver<Blob> call, Blob first, FileChannel file, int chunkSize, Bytes bytes)
      throws IOException {
    BlobSender sender = new BlobSender(call, first, file, chunkSize, bytes);
    call.setOnReadyHandler(sender::send);
    return sender;
  }

  private void send() {
    try {
      while (!over && call.isReady()) {
        if (!begun) {
          begun = true;
          call.onNext(first);
        } else if (offset < size) {
          int length = read();
          call.onNext(
              Blob.newBuilder().setOffset(offset).setData(bytes.of(buffer, 0, length)).build());
          offset += length;
        } else {
          close();
          call.onCompleted();
        }
      }
    } catch (IOException e) {
      close();
      call.onError(Blobs.status(e));
    }
  }

  private int read() throws IOException {
    ByteBuffer chunk = ByteBuffer.wrap(buffer, 0, (int) Math.min(buffer.length, size - offset));
    while (chunk.hasRemaining()) {
      if (file.read(chunk) < 0) {
        throw new EOFException("the file ended before byte " + size);
      }
    }
    return chunk.position();
  }

  @Override
  public void close() {
    over = true;
    try {
      file.close();
    } catch (IOException e) {
      // A file that was only read has nothing to lose by a failed close.
      return;
    }
  }
}
