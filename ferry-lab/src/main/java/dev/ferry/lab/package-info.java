/** The lab: runs suites, keeps every sample and renders the tables. */
@NullMarked
package dev.ferry.lab;

import org.jspecify.annotations.NullMarked;
