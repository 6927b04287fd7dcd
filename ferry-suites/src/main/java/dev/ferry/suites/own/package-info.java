/**
 * A service with a {@code .proto} that is not Ferry's, {@code example.BlobStore}, and its client,
 * as their user would write them: with grpc-java alone, and with {@code ferry-zerocopy}. {@link
 * dev.ferry.suites.own.OwnMethod} has the ways. What serves and calls uses public API only; {@code
 * BlobClient} and {@code OwnMethod} fit it into the tables. How its clients receive is public, for
 * services of others.
 */
@NullMarked
package dev.ferry.suites.own;

import org.jspecify.annotations.NullMarked;
