/** Small calls over gRPC: messages written and read by hand, on connections that suit them. */
@NullMarked
package dev.ferry.calls.grpc;

import org.jspecify.annotations.NullMarked;
