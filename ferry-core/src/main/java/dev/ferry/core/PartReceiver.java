package dev.ferry.core;

/**
 * Opens the sink of a part that is being downloaded. One of its methods is called once, on any
 * thread, when the server says what it sends. The carrier commits and closes the sink.
 */
public interface PartReceiver {
  /**
   * Opens the sink of the part.
   *
   * @param facts the facts of the whole file, with its version
   * @param length bytes that the server sends, from the requested offset on
   * @throws FerryException to end the download
   */
  FileSink part(FileFacts facts, long length) throws FerryException;

  /**
   * Opens the sink of the whole file, which the server sends because it does not know parts.
   *
   * @throws FerryException to end the download
   */
  FileSink whole() throws FerryException;
}
