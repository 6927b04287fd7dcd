/** OkHttp's HTTP client. */
@NullMarked
package dev.ferry.suites.rival.okhttp;

import org.jspecify.annotations.NullMarked;
