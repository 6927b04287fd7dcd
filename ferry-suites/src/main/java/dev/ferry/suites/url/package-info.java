/** Downloads a file from a server that is not Ferry's, by every HTTP client. */
@NullMarked
package dev.ferry.suites.url;

import org.jspecify.annotations.NullMarked;
