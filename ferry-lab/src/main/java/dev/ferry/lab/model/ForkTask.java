package dev.ferry.lab.model;

import java.util.List;

/** What one fork measures: rows or ceilings. */
public sealed interface ForkTask permits RowFork, CeilingFork {
  /** Returns the {@link RowKey}s of its rows, or the {@link CeilingKey}s of its ceilings. */
  List<?> keys();

  /** Returns what it measures, for display. */
  String title();
}
