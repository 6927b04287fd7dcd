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

/** How bytes of a file get into the value of a batch, and out of it. */
enum FlightMethod {
  /** By byte arrays, into one buffer that Flight copies from. */
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
  /** Without a copy: each batch has buffers of its own, which Flight sends as they are. */
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
      // Arrow itself checks no bounds with the flags of this method.
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

  /** One column of opaque bytes without nulls. */
  static final Schema SCHEMA =
      new Schema(
          List.of(new Field("bytes", FieldType.notNullable(ArrowType.Binary.INSTANCE), null)));

  private final boolean zeroCopy;

  FlightMethod(boolean zeroCopy) {
    this.zeroCopy = zeroCopy;
  }

  /** The method of a row. */
  static FlightMethod of(String method) {
    return switch (method) {
      case ArrowFlight.DEFAULT -> DEFAULT;
      case ArrowFlight.TUNED -> TUNED;
      default -> throw new IllegalArgumentException("no method " + method);
    };
  }

  /** Whether Flight sends the buffers of a batch themselves, so that each needs new ones. */
  boolean zeroCopy() {
    return zeroCopy;
  }

  /** Options of the call of an upload. */
  CallOption[] putOptions() {
    return new CallOption[0];
  }

  /** Makes bytes of a file the one value of a batch. */
  abstract void fill(VarBinaryVector vector, FileSource source, long position, int size)
      throws FerryException;

  /** Writes the one value of a batch. */
  abstract void write(VarBinaryVector vector, FileSink sink) throws FerryException;

  /**
   * Writes what a batch holds.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} where it is no part of a file, or
   *     for the disk
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
   * Lets a client queue what a server of Flight may: grpc-java's own limit holds up bulk data.
   *
   * @param bytes that are queued before a stream is not ready
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
