/** A server of files over HTTP/1.1 and HTTP/2 in plain text, on Netty. */
@NullMarked
package dev.ferry.http.internal.server;

import org.jspecify.annotations.NullMarked;
