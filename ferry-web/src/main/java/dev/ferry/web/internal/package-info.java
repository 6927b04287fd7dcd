/** gRPC-Web on Netty: a client, and a server that also handles requests for files. */
@NullMarked
package dev.ferry.web.internal;

import org.jspecify.annotations.NullMarked;
