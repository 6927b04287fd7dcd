/**
 * gRPC-Web on Netty: a server that also handles requests for files.
 *
 * <p>A call uses the messages of {@code ZeroCopy}, for which {@link
 * dev.ferry.grpc.internal.message.Framing} says what a transport has to do. The calls here are that
 * transport, below the same service as on gRPC, so the meaning of calls, digests, errors and
 * compression is written once.
 *
 * <p>Sending: the buffer that the file was read into goes to the channel with all prefixes, without
 * a copy; while one waits for the socket, the next is read. Receiving: messages are views of the
 * bytes that were read; half a mebibyte waits at most, and then nothing is read from the channel.
 */
@NullMarked
package dev.ferry.web.internal;

import org.jspecify.annotations.NullMarked;
