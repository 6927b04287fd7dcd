package dev.ferry.calls.grpc;

import com.google.protobuf.CodedOutputStream;
import dev.ferry.calls.Row;
import dev.ferry.calls.Rows;
import dev.ferry.grpc.message.HandOffAllocator;
import io.grpc.MethodDescriptor;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Rows that follow each other in a stream of one message per row, and leave at once.
 *
 * @param rows where they come from
 * @param first index of the first
 * @param count how many, at least 1
 */
record RowSpan(Rows rows, long first, int count) {
  private static final int PREFIX = 5;

  /**
   * Writes the rows as messages of their own, whole as they stand on the wire, into one buffer that
   * grpc-java's framer sends as if it were one message: what a message costs there is paid once for
   * all of them. Nothing is allocated before the message is on its way. Thread-safe.
   */
  static final class Marshaller implements MethodDescriptor.Marshaller<RowSpan> {
    private static final int SCRATCH = 32 * 1024;
    private static final ThreadLocal<byte[]> BYTES =
        ThreadLocal.withInitial(() -> new byte[SCRATCH]);

    private final Form<Row> form;
    private final HandOffAllocator allocator;

    Marshaller(Form<Row> form, HandOffAllocator allocator) {
      this.form = form;
      this.allocator = allocator;
    }

    @Override
    public InputStream stream(RowSpan span) {
      int length = 0;
      for (int i = 0; i < span.count; i++) {
        length += PREFIX + form.size(span.row(i));
      }
      byte[] bytes = length <= SCRATCH ? BYTES.get() : new byte[length];
      CodedOutputStream out = CodedOutputStream.newInstance(bytes, 0, length);
      try {
        for (int i = 0; i < span.count; i++) {
          write(span.row(i), out);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      ByteBuf frame = allocator.directBuffer(length, length).setBytes(0, bytes, 0, length);
      return allocator.handOff(frame, form.size(span.row(0)), span.count);
    }

    private void write(Row row, CodedOutputStream out) throws IOException {
      int size = form.size(row);
      // Not compressed.
      out.write((byte) 0);
      out.write((byte) (size >>> 24));
      out.write((byte) (size >>> 16));
      out.write((byte) (size >>> 8));
      out.write((byte) size);
      form.write(row, out);
    }

    @Override
    public RowSpan parse(InputStream stream) {
      throw new UnsupportedOperationException("rows are received one by one");
    }
  }

  private Row row(int i) {
    return rows.at(first + i);
  }
}
