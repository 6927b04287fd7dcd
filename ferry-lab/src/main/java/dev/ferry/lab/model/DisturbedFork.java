package dev.ferry.lab.model;

import org.jspecify.annotations.Nullable;

/**
 * A fork whose samples say more about what else ran on the machine than about the row.
 *
 * @param round the round, from 0
 * @param reason what disturbed it
 * @param samples the file of its samples in the run folder, if others replaced them; null if its
 *     samples are among those of the row, because there were too many disturbed forks
 * @param repeated whether the same fork took its samples again, and no other fork replaced it
 */
public record DisturbedFork(int round, String reason, @Nullable String samples, boolean repeated) {}
