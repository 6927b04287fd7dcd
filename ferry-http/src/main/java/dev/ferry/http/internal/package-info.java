/**
 * What HTTP clients share: requests, responses and bodies. Not for users of the library.
 *
 * <p>The class of a client sends an {@link dev.ferry.http.internal.OutgoingRequest} and returns the
 * {@link dev.ferry.http.internal.IncomingResponse}. Requests, the meaning of responses, digests,
 * deadlines, cancelling and the files of both ends are those of {@link
 * dev.ferry.http.internal.HttpCarrier}.
 */
@NullMarked
package dev.ferry.http.internal;

import org.jspecify.annotations.NullMarked;
