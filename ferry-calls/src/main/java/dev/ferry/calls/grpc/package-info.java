/** Small calls over gRPC: their services, and the settings of a tuned server and channel. */
@NullMarked
package dev.ferry.calls.grpc;

import org.jspecify.annotations.NullMarked;
