/** File transfer over gRPC: a client, also for gRPC-Web, and a server on grpc-java and Netty. */
@NullMarked
package dev.ferry.grpc.internal;

import org.jspecify.annotations.NullMarked;
