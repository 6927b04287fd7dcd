/**
 * Ferry's gRPC ends against peers that are not Ferry's: the C core, stock grpc-java, raw HTTP/2.
 */
@NullMarked
package dev.ferry.grpc.internal.interop;

import org.jspecify.annotations.NullMarked;
