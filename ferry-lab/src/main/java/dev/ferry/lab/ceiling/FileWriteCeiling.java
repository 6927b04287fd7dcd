package dev.ferry.lab.ceiling;

import dev.ferry.lab.model.Direction;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.channels.FileChannel;

/** Writes the source from memory to a new file. */
final class FileWriteCeiling implements CeilingOperation.Task {
  private final Workplace workplace;
  private final MappedFile source;
  private final FreshFiles targets;

  private FileWriteCeiling(Workplace workplace, MappedFile source) {
    this.workplace = workplace;
    this.source = source;
    this.targets = new FreshFiles(workplace.client(), ProcessHandle.current().pid());
  }

  static FileWriteCeiling open(Workplace workplace) throws IOException {
    return new FileWriteCeiling(workplace, MappedFile.of(workplace.source()));
  }

  @Override
  public void prepare() {
    targets.prepare();
  }

  @Override
  public void run(int operation) throws IOException {
    targets.write(targets.number(operation), this::writeAll);
  }

  private void writeAll(FileChannel file) throws IOException {
    int chunks = source.chunks(SocketEnd.BUFFER_BYTES);
    for (int i = 0; i < chunks; i++) {
      SocketEnd.writeAll(file, source.chunk(i, SocketEnd.BUFFER_BYTES));
    }
  }

  @Override
  public void check(int operation) throws IOException {
    targets.check(operation, workplace, Direction.DOWNLOAD);
  }
}
