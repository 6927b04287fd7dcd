/** Tests of what people get from the HTTP port. */
@NullMarked
package dev.ferry.http.internal.page;

import org.jspecify.annotations.NullMarked;
