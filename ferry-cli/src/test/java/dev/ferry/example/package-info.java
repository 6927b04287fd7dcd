/** Ferry's public API in use; what stands here is compiled and run by every build. */
@NullMarked
package dev.ferry.example;

import org.jspecify.annotations.NullMarked;
