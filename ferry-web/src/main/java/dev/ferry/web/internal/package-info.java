/**
 * gRPC-Web on Netty: a client, and a server that also handles requests for files.
 *
 * <p>A call uses the messages of {@code ZeroCopy}, for which {@link
 * dev.ferry.grpc.internal.message.Framing} says what a transport has to do. The calls here are that
 * transport, below the same service and client classes as on gRPC, so the meaning of calls,
 * digests, errors and compression is written once.
 *
 * <p>Sending: the buffer that the file was read into goes to the channel with all prefixes, without
 * a copy; while one waits for the socket, the next is read. Receiving: messages are views of the
 * bytes that were read; half a mebibyte waits at most, and then nothing is read from the channel. A
 * client repeats a call once if the server was closing the connection and has not seen it, or if it
 * changes nothing, used a kept connection and got no response.
 */
@NullMarked
package dev.ferry.web.internal;

import org.jspecify.annotations.NullMarked;
