package dev.ferry.core;

/**
 * What may stand, or be missing, where a new file gets its name.
 *
 * @param createOnly whether an existing file is an error, {@link ErrorKind#ALREADY_EXISTS}, instead
 *     of being replaced
 * @param makeParents whether the directories of its path that are missing are made, instead of
 *     being an error, {@link ErrorKind#NOT_FOUND}
 */
public record CreateOptions(boolean createOnly, boolean makeParents) {
  /** Replaces, makes no directories. */
  public static final CreateOptions DEFAULT = new CreateOptions(false, false);

  public CreateOptions withCreateOnly(boolean value) {
    return new CreateOptions(value, makeParents);
  }

  public CreateOptions withMakeParents(boolean value) {
    return new CreateOptions(createOnly, value);
  }
}
