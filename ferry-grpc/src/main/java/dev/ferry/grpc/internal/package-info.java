/** File transfer over gRPC: a client and a server on grpc-java and Netty. */
@NullMarked
package dev.ferry.grpc.internal;

import org.jspecify.annotations.NullMarked;
