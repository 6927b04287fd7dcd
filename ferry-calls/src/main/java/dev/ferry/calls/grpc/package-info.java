/** Small calls over gRPC, with hand-written message codecs and optimized connections. */
@NullMarked
package dev.ferry.calls.grpc;

import org.jspecify.annotations.NullMarked;
