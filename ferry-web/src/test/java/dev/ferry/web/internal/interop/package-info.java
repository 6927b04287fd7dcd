/** gRPC-Web with clients that are not ours. */
@NullMarked
package dev.ferry.web.internal.interop;

import org.jspecify.annotations.NullMarked;
