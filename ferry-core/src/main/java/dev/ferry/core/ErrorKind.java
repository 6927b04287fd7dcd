package dev.ferry.core;

/**
 * All errors of a transfer or a call. They mean the same on every carrier. {@code ferry-wire} maps
 * them to gRPC statuses, HTTP statuses and problem types. They are in the core because a store has
 * to report a full disk, and the core depends on no protocol.
 */
public enum ErrorKind {
  /** No file or directory has this name. */
  NOT_FOUND,
  /** The path is not a plain relative path inside the store. */
  INVALID_PATH,
  /** The request is invalid, for instance a chunk size out of range. */
  INVALID_REQUEST,
  /** The file exists and the upload is create-only, or a file would replace a directory. */
  ALREADY_EXISTS,
  /** The directory to delete is not empty. */
  NOT_EMPTY,
  /** The file or a message exceeds the receiver's limit. */
  TOO_LARGE,
  /** The digest of the received bytes differs from the announced one. */
  DIGEST_MISMATCH,
  /** The number of received bytes differs from the announced one. */
  INCOMPLETE,
  /** The file was changed while it was being sent. */
  FILE_CHANGED,
  /** The file does not have, or no longer has, the version that the request is for. */
  VERSION_MISMATCH,
  /** Another client has locked the file or folder, by WebDAV. */
  LOCKED,
  /** The upload does not continue at the byte with which the request begins. */
  OFFSET_MISMATCH,
  /** The receiver's disk is full or over its quota. */
  OUT_OF_SPACE,
  /** The operating system, or a rule of the server, denied access to a file. */
  PERMISSION_DENIED,
  /** The server serves only users that it knows, and the token is missing or unknown. */
  UNAUTHENTICATED,
  /** The client or the server cancelled the transfer. */
  CANCELLED,
  /** The transfer exceeded its timeout. */
  DEADLINE_EXCEEDED,
  /** The server is overloaded. It has not executed the request. */
  OVERLOADED,
  /** The peer cannot be reached, or the connection was lost. */
  UNAVAILABLE,
  /** Any other error; see the message and the cause. */
  INTERNAL
}
