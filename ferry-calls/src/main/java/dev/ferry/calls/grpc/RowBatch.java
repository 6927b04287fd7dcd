package dev.ferry.calls.grpc;

import dev.ferry.calls.Row;
import dev.ferry.calls.Rows;
import dev.ferry.grpc.internal.message.HandOffAllocator;
import io.grpc.MethodDescriptor;
import io.netty.buffer.ByteBuf;
import java.io.InputStream;

/**
 * Rows that follow each other in a stream of one message per row, and leave at once.
 *
 * @param rows where they come from
 * @param first index of the first
 * @param count how many, at least 1
 */
record RowBatch(Rows rows, long first, int count) {
  /**
   * Writes the rows as messages of their own, whole as they stand on the wire, into one buffer that
   * grpc-java's framer sends as if it were one message: what a message costs there is paid once for
   * all of them. Nothing is allocated before the message is on its way. Thread-safe.
   */
  static final class Marshaller implements MethodDescriptor.Marshaller<RowBatch> {
    private final MessageCodec<Row> form;
    private final HandOffAllocator allocator;

    Marshaller(MessageCodec<Row> form, HandOffAllocator allocator) {
      this.form = form;
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
      form.write(row, out);
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
