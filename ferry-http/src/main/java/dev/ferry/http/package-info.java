/** Files over plain HTTP by many clients, and the little they share with the server. */
@NullMarked
package dev.ferry.http;

import org.jspecify.annotations.NullMarked;
