/**
 * A file server over HTTP/1.1 and HTTP/2 on Netty.
 *
 * <p>Each connection of HTTP/1.1 and each stream of HTTP/2 is a channel with a {@link
 * dev.ferry.http.internal.server.ConnectionHandler}, so both share the meaning of requests, the
 * limits and the responses. Two things differ: HTTP/1.1 in plain text sends files by {@code
 * sendfile}, which cannot write frames and cannot encrypt; and an incomplete body ends with a reset
 * of its stream, or closes the connection. Workers read and write files, and not the event loops,
 * so that a slow disk does not delay other connections. The exception is a small file, which costs
 * less than the way to a worker and back: {@link dev.ferry.wire.internal.DiskSpeed} says when the
 * event loop may wait for the disk.
 */
@NullMarked
package dev.ferry.http.internal.server;

import org.jspecify.annotations.NullMarked;
