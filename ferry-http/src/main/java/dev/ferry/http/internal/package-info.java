/** What HTTP clients share: requests, responses and bodies. Not for users of the library. */
@NullMarked
package dev.ferry.http.internal;

import org.jspecify.annotations.NullMarked;
