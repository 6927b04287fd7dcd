/**
 * Servers that are not Ferry's: a file by every HTTP client, and a call or a stream of bytes by
 * grpc-java.
 */
@NullMarked
package dev.ferry.suites.url;

import org.jspecify.annotations.NullMarked;
