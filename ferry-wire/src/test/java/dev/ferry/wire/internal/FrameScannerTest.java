package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FrameScannerTest implements FrameScanner.Sink {
  private final List<String> heard = new ArrayList<>();
  private int payload;

  @Override
  public void frame(int type, int flags, int length, int stream) {
    heard.add(type + " " + flags + " " + length + " " + stream);
  }

  @Override
  public void payload(int type, int stream, ByteBuf bytes, int at, int count) {
    payload += count;
  }

  @Override
  public void windowUpdate(int stream, int bytes) {
    heard.add("window of " + stream + " by " + bytes);
  }

  @Override
  public boolean stops() {
    return false;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 9, 10, 1000})
  void scan_framesCutAnywhere_hearsEachOnce(int size) {
    ByteBuf bytes = Unpooled.buffer();
    bytes.writeMedium(0).writeByte(4).writeByte(1).writeInt(0);
    bytes.writeMedium(4).writeByte(8).writeByte(0).writeInt(3).writeInt(0x80000102);
    bytes.writeMedium(300).writeByte(0).writeByte(9).writeInt(0x80000003).writeZero(300);
    bytes.writeMedium(8).writeByte(6).writeByte(0).writeInt(0).writeLong(-1);

    FrameScanner scanner = new FrameScanner(this);
    while (bytes.isReadable()) {
      ByteBuf some = bytes.readSlice(Math.min(size, bytes.readableBytes()));
      assertThat(scanner.scan(some, some.readerIndex())).isEqualTo(some.writerIndex());
    }

    assertThat(heard)
        .containsExactly("4 1 0 0", "8 0 4 3", "window of 3 by " + 0x102, "0 9 300 3", "6 0 8 0");
    assertThat(payload).isEqualTo(312);
  }
}
