package dev.ferry.core;

/**
 * Conditions for creating a file.
 *
 * @param createOnly whether an existing file is an error, {@link ErrorKind#ALREADY_EXISTS}, instead
 *     of being replaced
 * @param makeParents whether missing parent directories are created, instead of being an error,
 *     {@link ErrorKind#NOT_FOUND}
 */
public record CreateOptions(boolean createOnly, boolean makeParents) {
  /** Replaces an existing file and creates no directories. */
  public static final CreateOptions DEFAULT = new CreateOptions(false, false);

  public CreateOptions withCreateOnly(boolean value) {
    return new CreateOptions(value, makeParents);
  }

  public CreateOptions withMakeParents(boolean value) {
    return new CreateOptions(createOnly, value);
  }
}
