/** OkHttp, and grpc-java's transport on it. */
@NullMarked
package dev.ferry.suites.rival.okhttp;

import org.jspecify.annotations.NullMarked;
