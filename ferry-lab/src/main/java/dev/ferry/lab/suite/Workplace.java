package dev.ferry.lab.suite;

import dev.ferry.core.Sha256;
import java.nio.file.Path;

/**
 * The folders and the source file of a row or ceiling.
 *
 * @param store the folder of the server's files, which contains the source
 * @param client the folder of the client's files, on the same file system
 * @param source the file to transfer; it must not be changed
 * @param size its size in bytes
 * @param sha256 its digest
 */
public record Workplace(Path store, Path client, Path source, long size, Sha256 sha256) {}
