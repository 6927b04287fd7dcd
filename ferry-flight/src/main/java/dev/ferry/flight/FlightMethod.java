package dev.ferry.flight;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.suites.rival.flight.ArrowFlight;
import io.grpc.stub.AbstractStub;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.CallOptions;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** How the bytes of a file are copied into the value of a batch and out of it. */
enum FlightMethod {
  /** With byte arrays, into one buffer from which Flight copies. */
  DEFAULT(false) {
    @Override
    void fill(VarBinaryVector vector, FileSource source, long position, int size)
        throws FerryException {
      byte[] bytes = new byte[size];
      source.readFully(ByteBuffer.wrap(bytes), position);
      vector.setSafe(0, bytes);
    }

    @Override
    void write(VarBinaryVector vector, FileSink sink) throws FerryException {
      sink.write(ByteBuffer.wrap(vector.get(0)));
    }
  },
  /** Without a copy: each batch has its own buffers, which Flight sends directly. */
  TUNED(true) {
    @Override
    void fill(VarBinaryVector vector, FileSource source, long position, int size)
        throws FerryException {
      vector.allocateNew(size, 1);
      source.readFully(vector.getDataBuffer().nioBuffer(0, size), position);
      vector.setIndexDefined(0);
      vector.setValueLengthSafe(0, size);
    }

    @Override
    void write(VarBinaryVector vector, FileSink sink) throws FerryException {
      ArrowBuf data = vector.getDataBuffer();
      int start = vector.getStartOffset(0);
      int end = vector.getEndOffset(0);
      // With the flags of this method, Arrow itself checks no bounds.
      if (start < 0 || end < start || end > data.capacity()) {
        throw unreadable("its value is outside of it");
      }
      sink.write(data.nioBuffer(start, end - start));
    }

    @Override
    CallOption[] putOptions() {
      return new CallOption[] {new ReadyThreshold(FlightServer.DEFAULT_BACKPRESSURE_THRESHOLD)};
    }
  };

  /** The schema: one column of opaque bytes without nulls. */
  static final Schema SCHEMA =
      new Schema(
          List.of(new Field("bytes", FieldType.notNullable(ArrowType.Binary.INSTANCE), null)));

  private final boolean zeroCopy;

  FlightMethod(boolean zeroCopy) {
    this.zeroCopy = zeroCopy;
  }

  /** Returns the method of a row. */
  static FlightMethod of(String method) {
    return switch (method) {
      case ArrowFlight.DEFAULT -> DEFAULT;
      case ArrowFlight.TUNED -> TUNED;
      default -> throw new IllegalArgumentException("no method " + method);
    };
  }

  /**
   * Returns whether Flight sends the buffers of a batch directly, so that each batch needs new
   * buffers.
   */
  boolean zeroCopy() {
    return zeroCopy;
  }

  /** Returns the call options of an upload. */
  CallOption[] putOptions() {
    return new CallOption[0];
  }

  /** Reads bytes of a file into the only value of a batch. */
  abstract void fill(VarBinaryVector vector, FileSource source, long position, int size)
      throws FerryException;

  /** Writes the only value of a batch. */
  abstract void write(VarBinaryVector vector, FileSink sink) throws FerryException;

  /**
   * Writes the content of a batch.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the batch is not part of a
   *     file, or with the error of the disk
   */
  final void write(VectorSchemaRoot batch, FileSink sink) throws FerryException {
    List<FieldVector> vectors = batch.getFieldVectors();
    if (vectors.size() != 1
        || !(vectors.get(0) instanceof VarBinaryVector vector)
        || vector.getValueCount() != 1
        || vector.getOffsetBuffer().capacity() < 2L * VarBinaryVector.OFFSET_WIDTH
        || vector.isNull(0)) {
      throw unreadable("it is not one value of bytes");
    }
    write(vector, sink);
  }

  /**
   * Gives a client the limit for queued bytes that a Flight server has. The default of grpc-java
   * throttles bulk data.
   *
   * @param bytes queued bytes above which a stream is not ready
   */
  private record ReadyThreshold(int bytes) implements CallOptions.GrpcCallOption {
    @Override
    public <T extends AbstractStub<T>> T wrapStub(T stub) {
      return stub.withOnReadyThreshold(bytes);
    }
  }

  private static FerryException unreadable(String why) {
    return new FerryException(ErrorKind.INVALID_REQUEST, "a batch is no part of a file: " + why);
  }
}
