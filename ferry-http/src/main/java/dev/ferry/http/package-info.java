/**
 * File transfer over HTTP: clients of HTTP/1.1, and servers of HTTP/1.1 and HTTP/2. The entry
 * points for users of the library.
 */
@NullMarked
package dev.ferry.http;

import org.jspecify.annotations.NullMarked;
