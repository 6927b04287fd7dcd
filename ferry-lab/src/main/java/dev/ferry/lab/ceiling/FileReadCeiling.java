package dev.ferry.lab.ceiling;

import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads the source from the page cache into one direct buffer. */
final class FileReadCeiling implements CeilingOperation.Task {
  private final Workplace workplace;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(SocketEnd.BUFFER_BYTES);
  private long bytes;

  FileReadCeiling(Workplace workplace) {
    this.workplace = workplace;
  }

  @Override
  public void prepare() {
    bytes = 0;
  }

  @Override
  public void run(int operation) throws IOException {
    long sum = 0;
    try (FileChannel file = FileChannel.open(workplace.source())) {
      for (int n; (n = file.read(buffer.clear())) >= 0; ) {
        sum += n;
      }
    }
    bytes = sum;
  }

  @Override
  public void check(int operation) throws IOException {
    if (bytes != workplace.size()) {
      throw new IOException("read " + bytes + " bytes of " + workplace.size());
    }
  }
}
