package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;

/**
 * Writes and reads a protobuf message without generated classes.
 *
 * @param <T> type of the message
 */
interface ProtoAdapter<T> {
  /** Writes the message. */
  void write(T value, MessageWriter out);

  /**
   * Reads a message to its end. Unknown fields are skipped.
   *
   * @throws IOException if the message is malformed
   */
  T read(CodedInputStream in) throws IOException;
}
