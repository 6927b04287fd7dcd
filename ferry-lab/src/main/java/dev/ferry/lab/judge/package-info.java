/** Judges published BenchmarkDotNet tables: what they can claim, and what Ferry's rows say. */
@NullMarked
package dev.ferry.lab.judge;

import org.jspecify.annotations.NullMarked;
