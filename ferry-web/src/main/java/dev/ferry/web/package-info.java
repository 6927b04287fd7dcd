/** The web port on Armeria: gRPC, gRPC-Web and the HTTP routes beside each other. */
@NullMarked
package dev.ferry.web;

import org.jspecify.annotations.NullMarked;
