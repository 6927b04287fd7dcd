package dev.ferry.load;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What a worker has measured.
 *
 * @param plan what all workers do
 * @param state how far it is
 * @param operations the results of the operations of the plan, or of those that another engine
 *     named
 * @param lag nanoseconds from the intended start of an operation to its start; not to be changed
 */
public record LoadReport(
    Workload plan, WorkerState state, List<OperationResult> operations, Histogram lag) {
  /** The name of all operations together. */
  public static final String ALL = "all";

  public LoadReport {
    operations = List.copyOf(operations);
  }

  /** All operations together. */
  public OperationResult all() {
    return OperationResult.sum(ALL, operations);
  }

  /** Whether the worker could not do what the plan asks for, whatever the server does. */
  public boolean isBottleneck() {
    return Notes.isBottleneck(this);
  }

  /** What a reader must know to judge the figures, a line each. */
  public List<String> notes() {
    return Notes.of(this);
  }
}
