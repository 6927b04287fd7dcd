/** gRPC-Web with clients that are not ours. */
@NullMarked
package dev.ferry.web.interop;

import org.jspecify.annotations.NullMarked;
