/** A client of gRPC's health service. */
@NullMarked
package dev.ferry.grpc.internal.health;

import org.jspecify.annotations.NullMarked;
