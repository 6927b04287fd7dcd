/** Files over plain HTTP: the server and the JDK's client. */
@NullMarked
package dev.ferry.http;

import org.jspecify.annotations.NullMarked;
