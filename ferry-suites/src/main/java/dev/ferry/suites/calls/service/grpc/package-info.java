/** Small calls over gRPC: their services, and the settings of a tuned server and channel. */
@NullMarked
package dev.ferry.suites.calls.service.grpc;

import org.jspecify.annotations.NullMarked;
