package dev.ferry.lab.ceiling;

import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.channels.FileChannel;

/** Writes the source from memory to a fresh file. */
final class FileWriteCeiling implements CeilingWork {
  private final Workplace workplace;
  private final MappedFile source;
  private final FreshFiles targets;

  private FileWriteCeiling(int work, Workplace workplace, MappedFile source) {
    this.workplace = workplace;
    this.source = source;
    this.targets = new FreshFiles(workplace.client(), work);
  }

  static FileWriteCeiling open(int work, Workplace workplace) throws IOException {
    return new FileWriteCeiling(work, workplace, MappedFile.of(workplace.source()));
  }

  @Override
  public void prepare() {
    targets.prepare();
  }

  @Override
  public void run() throws IOException {
    targets.of(targets.next()).write(this::writeAll);
  }

  private void writeAll(FileChannel file) throws IOException {
    int pieces = source.pieces(SocketEnd.BUFFER_BYTES);
    for (int i = 0; i < pieces; i++) {
      SocketEnd.writeAll(file, source.piece(i, SocketEnd.BUFFER_BYTES));
    }
  }

  @Override
  public void check() throws IOException {
    targets.check(workplace);
  }

  @Override
  public void close() {}
}
