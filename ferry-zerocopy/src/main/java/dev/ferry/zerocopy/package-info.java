/**
 * Sends and receives a {@code bytes} field of a gRPC message without copying the bytes through the
 * Java heap: {@link dev.ferry.zerocopy.BytesField} converts the methods of a generated service,
 * {@link dev.ferry.zerocopy.ZeroCopy} sets up servers and channels.
 */
@NullMarked
package dev.ferry.zerocopy;

import org.jspecify.annotations.NullMarked;
