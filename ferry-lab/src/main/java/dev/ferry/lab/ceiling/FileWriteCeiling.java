package dev.ferry.lab.ceiling;

import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.channels.FileChannel;

/** Writes the source from memory to a fresh file. */
final class FileWriteCeiling implements CeilingWork {
  private final Workplace workplace;
  private final MappedFile source;
  private long number;

  private FileWriteCeiling(Workplace workplace, MappedFile source) {
    this.workplace = workplace;
    this.source = source;
  }

  static FileWriteCeiling open(Workplace workplace) throws IOException {
    return new FileWriteCeiling(workplace, MappedFile.of(workplace.source()));
  }

  @Override
  public void prepare() {
    number++;
  }

  @Override
  public void run() throws IOException {
    target().write(this::writeAll);
  }

  private void writeAll(FileChannel file) throws IOException {
    int pieces = source.pieces(SocketEnd.BUFFER_BYTES);
    for (int i = 0; i < pieces; i++) {
      SocketEnd.writeAll(file, source.piece(i, SocketEnd.BUFFER_BYTES));
    }
  }

  private FreshFile target() {
    return FreshFile.of(workplace.client(), number);
  }

  @Override
  public void check() throws IOException {
    target().check(workplace);
  }

  @Override
  public void close() {}
}
