/** Tests of the product's client of HTTP/1.1. */
@NullMarked
package dev.ferry.http.internal.http1;

import org.jspecify.annotations.NullMarked;
