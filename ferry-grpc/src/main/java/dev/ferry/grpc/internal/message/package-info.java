/** The three methods: how a part of a file is converted to a gRPC message and back. */
@NullMarked
package dev.ferry.grpc.internal.message;

import org.jspecify.annotations.NullMarked;
