package dev.ferry.core.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A sink that does nothing but call another one. Subclasses override what they change. */
public abstract class ForwardingSink implements FileSink {
  private final FileSink sink;

  protected ForwardingSink(FileSink sink) {
    this.sink = sink;
  }

  @Override
  public void expect(long size) throws FerryException {
    sink.expect(size);
  }

  @Override
  public boolean expectDigest(Digest.Algorithm algorithm, Executor executor) {
    return sink.expectDigest(algorithm, executor);
  }

  @Override
  public boolean commitsSlowly() {
    return sink.commitsSlowly();
  }

  @Override
  public void checkExpansion(long arrived) throws FerryException {
    sink.checkExpansion(arrived);
  }

  @Override
  public boolean isKept() {
    return sink.isKept();
  }

  @Override
  public long written() {
    return sink.written();
  }

  @Override
  public void write(ByteBuffer source) throws FerryException {
    sink.write(source);
  }

  @Override
  public void write(ByteBuffer[] sources, int offset, int count) throws FerryException {
    sink.write(sources, offset, count);
  }

  @Override
  public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest)
      throws FerryException {
    return sink.commit(expectedSize, expectedDigest);
  }

  @Override
  public void close() throws FerryException {
    sink.close();
  }
}
