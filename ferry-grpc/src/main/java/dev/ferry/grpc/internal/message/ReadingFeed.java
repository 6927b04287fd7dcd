package dev.ferry.grpc.internal.message;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;

/** Reads each chunk on demand. */
final class ReadingFeed<M> implements ChunkFeed<M> {
  /** Reads one message. */
  @FunctionalInterface
  interface Reader<M> {
    M read(FileSource source, long position, int length) throws FerryException;
  }

  private final Reader<M> reader;
  private final FileSource source;
  private final int chunkSize;
  private final long end;
  private long position;

  /**
   * Creates a feed of the chunks from a byte of the file to another.
   *
   * @param to the byte after the last
   */
  ReadingFeed(Reader<M> reader, FileSource source, long from, long to, int chunkSize) {
    this.reader = reader;
    this.source = source;
    this.chunkSize = chunkSize;
    this.position = from;
    this.end = to;
  }

  @Override
  public boolean ended() {
    return position >= end;
  }

  @Override
  public M next() throws FerryException {
    int length = (int) Math.min(chunkSize, end - position);
    M message = reader.read(source, position, length);
    position += length;
    return message;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public long untracedBytes() {
    return 0;
  }

  @Override
  public void close() {}
}
