package dev.ferry.calls.grpc;

import dev.ferry.calls.Row;
import dev.ferry.calls.Rows;
import dev.ferry.grpc.internal.message.HandOffAllocator;
import io.grpc.MethodDescriptor;
import io.netty.buffer.ByteBuf;
import java.io.InputStream;

/**
 * Consecutive rows of a stream with one message per row that are written together.
 *
 * @param rows source of the rows
 * @param first index of the first row
 * @param count number of rows, at least 1
 */
record RowBatch(Rows rows, long first, int count) {
  /**
   * Writes each row as a separate gRPC message with its prefix, all into one buffer. grpc-java's
   * framer sends the buffer as one message, so the overhead of a message is paid once. Thread-safe.
   */
  static final class Marshaller implements MethodDescriptor.Marshaller<RowBatch> {
    private final ProtoAdapter<Row> adapter;
    private final HandOffAllocator allocator;

    Marshaller(ProtoAdapter<Row> adapter, HandOffAllocator allocator) {
      this.adapter = adapter;
      this.allocator = allocator;
    }

    @Override
    public InputStream stream(RowBatch span) {
      MessageWriter out = MessageWriter.take();
      try {
        int first = write(span.row(0), out);
        for (int i = 1; i < span.count; i++) {
          write(span.row(i), out);
        }
        int length = out.length();
        ByteBuf frame = allocator.directBuffer(length, length).setBytes(0, out.array(), 0, length);
        return allocator.handOff(frame, first, span.count);
      } finally {
        out.giveBack();
      }
    }

    private int write(Row row, MessageWriter out) {
      int start = out.beginFrame();
      adapter.write(row, out);
      return out.endFrame(start);
    }

    @Override
    public RowBatch parse(InputStream stream) {
      throw new UnsupportedOperationException("rows are received one by one");
    }
  }

  private Row row(int i) {
    return rows.at(first + i);
  }
}
