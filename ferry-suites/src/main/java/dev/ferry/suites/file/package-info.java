/** The suites that move files: their tables, what each row is made of, and the moves themselves. */
@NullMarked
package dev.ferry.suites.file;

import org.jspecify.annotations.NullMarked;
