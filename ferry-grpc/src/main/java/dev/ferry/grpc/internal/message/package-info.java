/** The three methods: how a part of a file becomes a gRPC message and back. */
@NullMarked
package dev.ferry.grpc.internal.message;

import org.jspecify.annotations.NullMarked;
