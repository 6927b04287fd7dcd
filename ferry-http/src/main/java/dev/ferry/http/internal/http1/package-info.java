/** The product's client of HTTP/1.1, on blocking socket channels. */
@NullMarked
package dev.ferry.http.internal.http1;

import org.jspecify.annotations.NullMarked;
