/**
 * Channels, servers and event loops: with the default settings of grpc-java and with tuned ones.
 */
@NullMarked
package dev.ferry.grpc.internal.transport;

import org.jspecify.annotations.NullMarked;
