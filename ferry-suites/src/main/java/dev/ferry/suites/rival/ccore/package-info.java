/** The C core of gRPC at one end or at both, by way of Python's grpcio. */
@NullMarked
package dev.ferry.suites.rival.ccore;

import org.jspecify.annotations.NullMarked;
