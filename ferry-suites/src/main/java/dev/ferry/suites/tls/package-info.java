/** TLS between the ends of a row, and files over a bare TLS socket. */
@NullMarked
package dev.ferry.suites.tls;

import org.jspecify.annotations.NullMarked;
