/** gRPC-Web on Netty: a server that answers requests for files beside it, and a client. */
@NullMarked
package dev.ferry.web.internal;

import org.jspecify.annotations.NullMarked;
