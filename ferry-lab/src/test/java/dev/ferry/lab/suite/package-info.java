/** Tests of suites, and a suite that copies files locally. */
@NullMarked
package dev.ferry.lab.suite;

import org.jspecify.annotations.NullMarked;
