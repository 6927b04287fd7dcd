package dev.ferry.lab.suite;

import dev.ferry.core.Sha256;
import java.nio.file.Path;

/**
 * Where a fixture works.
 *
 * @param store folder of the server's files; holds the source
 * @param client folder of the client's files, on the same file system
 * @param source the file to move; must not be changed
 * @param size its bytes
 * @param sha256 its digest
 */
public record Workplace(Path store, Path client, Path source, long size, Sha256 sha256) {}
