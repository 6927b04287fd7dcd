/** Tests of the suites that move files, and a suite that copies them locally. */
@NullMarked
package dev.ferry.suites.file;

import org.jspecify.annotations.NullMarked;
