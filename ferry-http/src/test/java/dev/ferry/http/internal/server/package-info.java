/** Tests of the server, by clients that no library would be. */
@NullMarked
package dev.ferry.http.internal.server;

import org.jspecify.annotations.NullMarked;
