package dev.ferry.core;

/**
 * What a finished transfer was.
 *
 * @param facts the facts of the file that now stands at the receiving end
 * @param wireBytes bytes of the encoded messages or bodies of the file, without the transport's own
 *     headers and frames: what a codec made of the file
 * @param protocol as negotiated: {@code h2}, {@code h2c} or {@code http/1.1}
 * @param encoding as negotiated: {@code identity} or {@code gzip}
 */
public record Transfer(FileFacts facts, long wireBytes, String protocol, String encoding) {}
