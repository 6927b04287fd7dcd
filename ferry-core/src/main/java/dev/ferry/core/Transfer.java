package dev.ferry.core;

/**
 * The result of a finished transfer.
 *
 * @param facts the facts of the new file at the receiver
 * @param wireBytes encoded bytes of the file's messages or bodies, without headers and frames of
 *     the transport
 * @param protocol the negotiated protocol: {@code h2}, {@code h2c} or {@code http/1.1}
 * @param encoding the negotiated encoding, for instance {@code identity} or {@code gzip}
 * @param resumedAt the first byte of the file that this transfer moved, which is not 0 if it went
 *     on where an earlier process had stopped
 */
public record Transfer(
    FileFacts facts, long wireBytes, String protocol, String encoding, long resumedAt) {
  /** Creates the result of a transfer of the whole file. */
  public Transfer(FileFacts facts, long wireBytes, String protocol, String encoding) {
    this(facts, wireBytes, protocol, encoding, 0);
  }
}
