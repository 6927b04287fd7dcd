package dev.ferry.suites.calls.service.grpc;

import com.google.protobuf.CodedOutputStream;
import dev.ferry.suites.calls.service.DataRow;
import dev.ferry.suites.calls.v1.RowList;
import dev.ferry.suites.calls.v1.RowsGrpc;
import dev.ferry.suites.calls.v1.RowsRequest;
import io.grpc.Drainable;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The bytes of a {@link RowList} whose rows are made while they are written, so that no object has
 * them all. Generated code has no such message, but writes each of the rows.
 */
@SuppressWarnings("InputStreamSlowMultibyteRead") // grpc-java drains it.
final class EnumeratedRows extends InputStream implements Drainable {
  /** {@code Rows.Enumerable}, with rows in place of the message at the server. */
  static final MethodDescriptor<RowsRequest, Iterable<DataRow>> METHOD =
      RowsGrpc.getEnumerableMethod().toBuilder(
              RowsGrpc.getEnumerableMethod().getRequestMarshaller(), new Marshaller())
          .build();

  private final Iterable<DataRow> rows;

  private EnumeratedRows(Iterable<DataRow> rows) {
    this.rows = rows;
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    CodedOutputStream out = CodedOutputStream.newInstance(target);
    for (DataRow row : rows) {
      out.writeMessage(RowList.ROWS_FIELD_NUMBER, CallMessages.of(row));
    }
    out.flush();
    return out.getTotalBytesWritten();
  }

  @Override
  public int read() {
    throw new UnsupportedOperationException("grpc-java drains it");
  }

  private static final class Marshaller implements MethodDescriptor.Marshaller<Iterable<DataRow>> {
    @Override
    public InputStream stream(Iterable<DataRow> rows) {
      return new EnumeratedRows(rows);
    }

    @Override
    public Iterable<DataRow> parse(InputStream stream) {
      throw new UnsupportedOperationException("a server reads no replies");
    }
  }
}
