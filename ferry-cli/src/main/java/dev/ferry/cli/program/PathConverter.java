package dev.ferry.cli.program;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the path of a local file or folder. For the JDK, an empty one is the current folder; where
 * a user gives it, a variable of a script is most likely not set.
 */
public final class PathConverter implements ITypeConverter<Path> {
  /** What is said of an empty path in front of the remedy. */
  public static final String EMPTY = "'': is not a path (is a variable not set?)";

  /** Creates a converter. */
  public PathConverter() {}

  @Override
  public Path convert(String text) {
    if (text.isEmpty()) {
      throw new TypeConversionException(EMPTY + "; write '.' for the current folder");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException(e.getMessage() + "; try LC_ALL=C.UTF-8");
    }
  }
}
