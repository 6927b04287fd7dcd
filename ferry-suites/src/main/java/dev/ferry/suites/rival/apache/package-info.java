/** Apache HttpClient 5: the blocking client for HTTP/1.1, the asynchronous one for HTTP/2. */
@NullMarked
package dev.ferry.suites.rival.apache;

import org.jspecify.annotations.NullMarked;
