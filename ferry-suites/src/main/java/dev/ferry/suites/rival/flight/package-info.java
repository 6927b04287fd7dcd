/**
 * What the bench knows of Arrow Flight: names, flags and the jar. Its server and client are in
 * {@code ferry-flight}, for Flight needs an older Netty and an older grpc-java than Ferry.
 */
@NullMarked
package dev.ferry.suites.rival.flight;

import org.jspecify.annotations.NullMarked;
