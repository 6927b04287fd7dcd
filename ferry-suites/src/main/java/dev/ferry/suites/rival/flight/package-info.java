/**
 * Names, flags and the jar of the rows of Arrow Flight. Its server and client are in {@code
 * ferry-flight}, for Flight needs an older Netty and an older grpc-java than Ferry.
 */
@NullMarked
package dev.ferry.suites.rival.flight;

import org.jspecify.annotations.NullMarked;
