/** File transfer over gRPC: the entry points for users of the library. */
@NullMarked
package dev.ferry.grpc;

import org.jspecify.annotations.NullMarked;
