package dev.ferry.core;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** An open file that does nothing but call another one. Subclasses override what they change. */
public class ForwardingSource implements FileSource {
  private final FileSource source;

  public ForwardingSource(FileSource source) {
    this.source = source;
  }

  @Override
  public FileFacts facts() {
    return source.facts();
  }

  @Override
  public @Nullable FileChannel channel() {
    return source.channel();
  }

  @Override
  public void readAhead(long from, long to) {
    source.readAhead(from, to);
  }

  @Override
  public void computeWhileReading(Digest.Algorithm algorithm) {
    source.computeWhileReading(algorithm);
  }

  @Override
  public void readFully(ByteBuffer destination, long position) throws FerryException {
    source.readFully(destination, position);
  }

  @Override
  public void readFully(ByteBuffer[] destinations, long position) throws FerryException {
    source.readFully(destinations, position);
  }

  @Override
  public int sample(ByteBuffer destination, long position) throws FerryException {
    return source.sample(destination, position);
  }

  @Override
  public void verifyUnchanged() throws FerryException {
    source.verifyUnchanged();
  }

  @Override
  public Digest digest(Digest.Algorithm algorithm) throws FerryException {
    return source.digest(algorithm);
  }

  @Override
  public void close() throws FerryException {
    source.close();
  }
}
