package dev.ferry.calls.grpc;

import dev.ferry.calls.Row;
import dev.ferry.contract.v1.RowsGrpc;
import dev.ferry.grpc.internal.message.HandOffAllocator;
import io.grpc.MethodDescriptor;
import java.util.List;

/**
 * Method descriptors of {@code ferry.v1.Rows} with {@link Row} instead of generated messages. A
 * list is sent by accessing each row once when it is written, so it may create rows on access.
 */
public final class RowMethods {
  private static final ProtoAdapter<Long> NUMBER = new NumberAdapter();
  private static final ProtoAdapter<Row> ROW = new RowAdapter();
  private static final ProtoAdapter<List<Row>> ROWS = new ListAdapter<>(ROW);

  /** Returns a row by its index. */
  public static final MethodDescriptor<Long, Row> SINGLE =
      CallMethods.of(RowsGrpc.getSingleMethod(), NUMBER, ROW);

  /** Returns the first rows in one message. */
  public static final MethodDescriptor<Long, List<Row>> LIST =
      CallMethods.of(RowsGrpc.getListMethod(), NUMBER, ROWS);

  /** As {@link #LIST}, from an array. */
  public static final MethodDescriptor<Long, List<Row>> ARRAY =
      CallMethods.of(RowsGrpc.getArrayMethod(), NUMBER, ROWS);

  /** As {@link #LIST}, with rows created while they are written. */
  public static final MethodDescriptor<Long, List<Row>> ENUMERABLE =
      CallMethods.of(RowsGrpc.getEnumerableMethod(), NUMBER, ROWS);

  /**
   * Streams one message per row, for a client that {@linkplain
   * dev.ferry.grpc.internal.transport.JoinedMessages requests} joined messages.
   */
  static final MethodDescriptor<Long, List<Row>> STREAM =
      RowsGrpc.getStreamMethod().toBuilder(
              new ProtoMarshaller<>(NUMBER), new JoinedMarshaller<>(ROW))
          .build();

  /** Streams messages of many rows each. */
  public static final MethodDescriptor<Long, List<Row>> BATCHES =
      CallMethods.of(RowsGrpc.getBatchesMethod(), NUMBER, ROWS);

  private RowMethods() {}

  /** {@link #STREAM} for a server that writes many messages at once. */
  static MethodDescriptor<Long, RowBatch> spans(HandOffAllocator allocator) {
    return RowsGrpc.getStreamMethod().toBuilder(
            new ProtoMarshaller<>(NUMBER), new RowBatch.Marshaller(ROW, allocator))
        .build();
  }
}
