/** Small calls over HTTP with JSON, by Jackson's data binding. */
@NullMarked
package dev.ferry.suites.calls.service.http;

import org.jspecify.annotations.NullMarked;
