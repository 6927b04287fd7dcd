package dev.ferry.core;

/**
 * Everything that can go wrong with a transfer or a call, in one closed list that means the same on
 * every carrier. How a kind looks on a wire (gRPC status, HTTP status and problem type) stands in
 * the contract, not here.
 */
public enum ErrorKind {
  /** There is no file, or no directory, of that name. */
  NOT_FOUND,
  /** The path is not a plain relative name inside the store. */
  INVALID_PATH,
  /** The request itself makes no sense, for instance a chunk size out of range. */
  INVALID_REQUEST,
  /** A create-only upload met an existing file, or a file would replace a directory. */
  ALREADY_EXISTS,
  /** The file or a message is larger than the receiver's limit. */
  TOO_LARGE,
  /** The bytes that arrived do not have the announced SHA-256. */
  DIGEST_MISMATCH,
  /** Fewer or more bytes arrived than were announced. */
  INCOMPLETE,
  /** The file was changed while it was being sent. */
  FILE_CHANGED,
  /** The receiving disk is full or over its quota. */
  OUT_OF_SPACE,
  /** The operating system refused access to a file. */
  PERMISSION_DENIED,
  /** One end gave the transfer up. */
  CANCELLED,
  /** The transfer took longer than its caller allowed. */
  DEADLINE_EXCEEDED,
  /** The other end has too much to do at the moment; nothing was done. */
  OVERLOADED,
  /** The other end cannot be reached or went away. */
  UNAVAILABLE,
  /** Anything else; the message and the cause say what. */
  INTERNAL
}
