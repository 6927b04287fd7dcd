package dev.ferry.flight;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import java.util.function.BooleanSupplier;
import org.apache.arrow.flight.OutboundStreamListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Sends files as record batches of a Flight stream.
 *
 * @param method how the bytes are copied into a batch
 * @param allocator allocates the batches
 * @param batchSize the size of a batch in bytes
 */
record FileBatches(FlightMethod method, BufferAllocator allocator, int batchSize) {
  /**
   * Sends a complete file. Does not end the stream.
   *
   * @param ready waits for the stream before each batch; returns false if the stream is no longer
   *     read
   * @return whether the complete file was sent
   */
  boolean send(FileSource source, OutboundStreamListener stream, BooleanSupplier ready)
      throws FerryException {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(FlightMethod.SCHEMA, allocator)) {
      VarBinaryVector vector = (VarBinaryVector) root.getVector(0);
      stream.setUseZeroCopy(method.zeroCopy());
      stream.start(root);
      long size = source.facts().size();
      for (long position = 0; position < size; position += batchSize) {
        if (!ready.getAsBoolean()) {
          return false;
        }
        method.fill(vector, source, position, (int) Math.min(batchSize, size - position));
        root.setRowCount(1);
        stream.putNext();
      }
      source.verifyUnchanged();
      return true;
    }
  }
}
