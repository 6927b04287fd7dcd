/** A plaintext file server over HTTP/1.1 and HTTP/2 on Netty. */
@NullMarked
package dev.ferry.http.internal.server;

import org.jspecify.annotations.NullMarked;
