package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;

/**
 * How a message of the contract is written and read without the objects of generated code.
 *
 * @param <T> what stands for the message
 */
interface MessageCodec<T> {
  /** Writes the message. */
  void write(T value, MessageWriter out);

  /**
   * Reads a message to its end; unknown fields are skipped.
   *
   * @throws IOException where it is malformed
   */
  T read(CodedInputStream in) throws IOException;
}
