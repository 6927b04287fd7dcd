/** The three methods: how a part of a file becomes a gRPC message and back. */
@NullMarked
package dev.ferry.grpc.message;

import org.jspecify.annotations.NullMarked;
