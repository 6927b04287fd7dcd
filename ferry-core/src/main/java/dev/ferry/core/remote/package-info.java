/** Stores on other machines, and how a server finds them. */
@NullMarked
package dev.ferry.core.remote;

import org.jspecify.annotations.NullMarked;
