/** Servers of files over gRPC-Web and gRPC-Web-Text: the entry point for users of the library. */
@NullMarked
package dev.ferry.web;

import org.jspecify.annotations.NullMarked;
