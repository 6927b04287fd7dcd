/** File transfer over grpc-java on Netty: server, client, the three methods and their tuning. */
@NullMarked
package dev.ferry.grpc.internal;

import org.jspecify.annotations.NullMarked;
