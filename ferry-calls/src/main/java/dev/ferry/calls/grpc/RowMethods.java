package dev.ferry.calls.grpc;

import dev.ferry.calls.Row;
import dev.ferry.contract.v1.RowsGrpc;
import dev.ferry.grpc.internal.message.HandOffAllocator;
import io.grpc.MethodDescriptor;
import java.util.List;

/**
 * The methods of {@code ferry.v1.Rows} with rows of our own in the place of generated messages: for
 * clients and servers that go without those. A list that is sent is asked for each row when it is
 * written, and may make it then.
 */
public final class RowMethods {
  private static final MessageCodec<Long> NUMBER = new NumberCodec();
  private static final MessageCodec<Row> ROW = new RowCodec();
  private static final MessageCodec<List<Row>> ROWS = new ListCodec<>(ROW);

  /** A row by its index. */
  public static final MethodDescriptor<Long, Row> SINGLE =
      CallMethods.of(RowsGrpc.getSingleMethod(), NUMBER, ROW);

  /** The first rows in one message. */
  public static final MethodDescriptor<Long, List<Row>> LIST =
      CallMethods.of(RowsGrpc.getListMethod(), NUMBER, ROWS);

  /** The same, from an array. */
  public static final MethodDescriptor<Long, List<Row>> ARRAY =
      CallMethods.of(RowsGrpc.getArrayMethod(), NUMBER, ROWS);

  /** The same, made while they are written. */
  public static final MethodDescriptor<Long, List<Row>> ENUMERABLE =
      CallMethods.of(RowsGrpc.getEnumerableMethod(), NUMBER, ROWS);

  /**
   * A message for each row, for a client that {@linkplain
   * dev.ferry.grpc.internal.transport.JoinedMessages asks} for those that come together.
   */
  static final MethodDescriptor<Long, List<Row>> STREAM =
      RowsGrpc.getStreamMethod().toBuilder(
              new CodecMarshaller<>(NUMBER), new JoinedMarshaller<>(ROW))
          .build();

  /** Messages of many rows each. */
  public static final MethodDescriptor<Long, List<Row>> BATCHES =
      CallMethods.of(RowsGrpc.getBatchesMethod(), NUMBER, ROWS);

  private RowMethods() {}

  /** {@link #STREAM} for a server that sends many messages at once. */
  static MethodDescriptor<Long, RowBatch> spans(HandOffAllocator allocator) {
    return RowsGrpc.getStreamMethod().toBuilder(
            new CodecMarshaller<>(NUMBER), new RowBatch.Marshaller(ROW, allocator))
        .build();
  }
}
