/**
 * The lab: runs suites, stores all samples and renders the tables.
 *
 * <p>Data flows in one direction through the packages {@code suite}, {@code network}, {@code
 * ceiling}, {@code run}, {@code stats}, {@code report}, {@code judge}: none imports one behind it.
 * {@code stats}, {@code report} and {@code judge} know neither suites nor forks, so reports are
 * made from a run folder alone. All share the records of {@code model}.
 */
@NullMarked
package dev.ferry.lab;

import org.jspecify.annotations.NullMarked;
