/** Tests of files over plain HTTP, over real sockets. */
@NullMarked
package dev.ferry.http;

import org.jspecify.annotations.NullMarked;
