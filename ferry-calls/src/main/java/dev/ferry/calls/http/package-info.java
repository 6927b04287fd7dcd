/**
 * Small calls over HTTP with JSON: written and read piece by piece, without trees or reflection.
 */
@NullMarked
package dev.ferry.calls.http;

import org.jspecify.annotations.NullMarked;
