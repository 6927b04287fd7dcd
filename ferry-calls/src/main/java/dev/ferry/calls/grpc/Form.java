package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;

/**
 * How a message of the contract is written and read without the objects of generated code.
 *
 * @param <T> what stands for the message
 */
interface Form<T> {
  /** Writes the message. */
  void write(T value, MessageWriter out);

  /**
   * Reads a message to its end; unknown fields are skipped.
   *
   * @throws IOException where it is malformed
   */
  T read(CodedInputStream in) throws IOException;

  /**
   * Reads a message that has an array for itself, from its beginning; nothing of that may be kept.
   *
   * @throws IOException where it is malformed
   */
  default T read(byte[] bytes, int length) throws IOException {
    return read(CodedInputStream.newInstance(bytes, 0, length));
  }
}
