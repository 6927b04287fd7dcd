/** Small calls over HTTP with JSON, using streaming parsers and generators without reflection. */
@NullMarked
package dev.ferry.calls.http;

import org.jspecify.annotations.NullMarked;
