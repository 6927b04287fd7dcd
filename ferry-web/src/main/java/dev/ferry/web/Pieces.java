package dev.ferry.web;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.http.FileBody;
import dev.ferry.http.GzipEncoder;
import dev.ferry.http.Payload;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A body that is sent, piece by piece. The last one is not given away before the file was found
 * unchanged. For one thread at a time.
 */
sealed interface Pieces extends Closeable {
  /**
   * Fills a buffer as far as the body goes.
   *
   * @return whether that was the last piece
   */
  boolean fill(ByteBuffer room) throws FerryException;

  /**
   * The body of a file's answer.
   *
   * @param source closed with the pieces
   * @param bufferSize bytes read at once where the body is compressed
   */
  static Pieces of(FileSource source, boolean gzip, int bufferSize) {
    return gzip ? new Packed(source, new GzipEncoder(source, bufferSize)) : new Plain(source);
  }

  /** The body of a client's upload, whose file stays with the payload. */
  static Pieces of(Payload payload) {
    return new Uploaded(payload.open());
  }

  /** What a client of ours uploads. */
  final class Uploaded implements Pieces {
    private final FileBody body;

    private Uploaded(FileBody body) {
      this.body = body;
    }

    @Override
    public boolean fill(ByteBuffer room) throws FerryException {
      return body.fill(room);
    }

    @Override
    public void close() {
      body.close();
    }
  }

  /** The file as it is. */
  final class Plain implements Pieces {
    private final FileSource source;
    private long position;

    private Plain(FileSource source) {
      this.source = source;
    }

    @Override
    public boolean fill(ByteBuffer room) throws FerryException {
      int bytes = (int) Math.min(room.remaining(), source.facts().size() - position);
      source.readFully(room.limit(room.position() + bytes), position);
      position += bytes;
      boolean last = position == source.facts().size();
      if (last) {
        source.verifyUnchanged();
      }
      return last;
    }

    @Override
    public void close() throws IOException {
      source.close();
    }
  }

  /** The file as a gzip stream. */
  final class Packed implements Pieces {
    private final FileSource source;
    private final GzipEncoder encoder;

    private Packed(FileSource source, GzipEncoder encoder) {
      this.source = source;
      this.encoder = encoder;
    }

    @Override
    public boolean fill(ByteBuffer room) throws FerryException {
      boolean last = encoder.fill(room);
      if (last) {
        source.verifyUnchanged();
      }
      return last;
    }

    @Override
    public void close() throws IOException {
      encoder.close();
      source.close();
    }
  }
}
