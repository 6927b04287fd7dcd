/** What clients of HTTP share: requests, responses, bodies. Not for users. */
@NullMarked
package dev.ferry.http.internal;

import org.jspecify.annotations.NullMarked;
