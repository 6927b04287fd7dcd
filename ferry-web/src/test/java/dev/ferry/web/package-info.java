/** Tests of the web port. */
@NullMarked
package dev.ferry.web;

import org.jspecify.annotations.NullMarked;
