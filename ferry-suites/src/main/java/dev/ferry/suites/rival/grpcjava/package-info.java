/**
 * grpc-java as its documentation has it: generated messages, the default transport, grpc-java's own
 * gzip.
 */
@NullMarked
package dev.ferry.suites.rival.grpcjava;

import org.jspecify.annotations.NullMarked;
