/**
 * The requests, responses and bodies of the HTTP client, and what it shares with the server. Not
 * for users of the library.
 *
 * <p>The client, {@link dev.ferry.http.internal.http1.Http1Carrier}, sends an {@link
 * dev.ferry.http.internal.OutgoingRequest} and gets the {@link
 * dev.ferry.http.internal.IncomingResponse}.
 */
@NullMarked
package dev.ferry.http.internal;

import org.jspecify.annotations.NullMarked;
