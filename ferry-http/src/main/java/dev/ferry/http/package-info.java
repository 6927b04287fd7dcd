/** File transfer over HTTP/1.1 and HTTP/2: the entry points for users of the library. */
@NullMarked
package dev.ferry.http;

import org.jspecify.annotations.NullMarked;
