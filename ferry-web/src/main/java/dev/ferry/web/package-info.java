/** File transfer over gRPC-Web and gRPC-Web-Text: the entry points for users of the library. */
@NullMarked
package dev.ferry.web;

import org.jspecify.annotations.NullMarked;
