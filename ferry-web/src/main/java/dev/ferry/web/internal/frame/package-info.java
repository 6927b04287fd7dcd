/** The frames of gRPC-Web and gRPC-Web-Text, encoded to and decoded from buffers. */
@NullMarked
package dev.ferry.web.internal.frame;

import org.jspecify.annotations.NullMarked;
