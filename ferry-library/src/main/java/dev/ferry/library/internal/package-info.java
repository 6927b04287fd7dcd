/** Addresses of files and servers, and what is uploaded without being a local file. */
@NullMarked
package dev.ferry.library.internal;

import org.jspecify.annotations.NullMarked;
