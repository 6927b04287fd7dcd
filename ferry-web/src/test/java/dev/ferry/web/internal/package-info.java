/** Tests of gRPC-Web. */
@NullMarked
package dev.ferry.web.internal;

import org.jspecify.annotations.NullMarked;
