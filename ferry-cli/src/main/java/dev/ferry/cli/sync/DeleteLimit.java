package dev.ferry.cli.sync;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * How many files of the target a sync may delete. Only 100 percent allow that all are deleted.
 *
 * @param most a number of files, or percent of those that the target has before
 */
record DeleteLimit(long most, boolean percent) {
  /** Any number, but not all. */
  static final DeleteLimit NOT_ALL = new DeleteLimit(Long.MAX_VALUE, false);

  private static final int ALL = 100;

  /** Reads a limit of the command line. */
  static final class Converter implements ITypeConverter<DeleteLimit> {
    @Override
    public DeleteLimit convert(String text) {
      boolean percent = text.endsWith("%");
      String number = percent ? text.substring(0, text.length() - 1) : text;
      // Of 18 digits, each number is a long.
      if (!number.matches("[0-9]{1,18}") || (percent && Long.parseLong(number) > ALL)) {
        throw new TypeConversionException(
            "'" + text + "' is not a limit; write a number of files, or 0% to 100%");
      }
      return new DeleteLimit(Long.parseLong(number), percent);
    }
  }

  /** Whether files may be deleted if others stay. */
  boolean allows(long deleted, long others) {
    return percent
        ? deleted * (double) ALL <= most * (double) (deleted + others)
        : deleted <= most && (others > 0 || deleted == 0);
  }

  @Override
  public String toString() {
    return most + (percent ? "%" : "");
  }
}
