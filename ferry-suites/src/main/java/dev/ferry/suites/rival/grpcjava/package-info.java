/**
 * grpc-java without Ferry's messages and transport: generated stubs and grpc-java's own settings.
 * Files ({@link dev.ferry.suites.rival.grpcjava.StockMethod}) and small calls.
 */
@NullMarked
package dev.ferry.suites.rival.grpcjava;

import org.jspecify.annotations.NullMarked;
