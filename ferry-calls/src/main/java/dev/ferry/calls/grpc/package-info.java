/** Small calls over gRPC, with hand-written protobuf adapters and optimized connections. */
@NullMarked
package dev.ferry.calls.grpc;

import org.jspecify.annotations.NullMarked;
