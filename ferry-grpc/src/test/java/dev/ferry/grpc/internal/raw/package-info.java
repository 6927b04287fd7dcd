/** gRPC peers without grpc-java, who cut and mutilate messages as no library would. */
@NullMarked
package dev.ferry.grpc.internal.raw;

import org.jspecify.annotations.NullMarked;
