/** Channels, servers and event loops: grpc-java's own settings, and Ferry's tuned ones. */
@NullMarked
package dev.ferry.grpc.internal.transport;

import org.jspecify.annotations.NullMarked;
