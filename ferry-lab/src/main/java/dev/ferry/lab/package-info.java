/** The lab: runs suites, stores all samples and renders the tables. */
@NullMarked
package dev.ferry.lab;

import org.jspecify.annotations.NullMarked;
