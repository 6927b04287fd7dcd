/** Tests of gRPC-Web. */
@NullMarked
package dev.ferry.web;

import org.jspecify.annotations.NullMarked;
