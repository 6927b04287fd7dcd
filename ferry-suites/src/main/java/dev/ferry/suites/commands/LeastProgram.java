package dev.ferry.suites.commands;

/** The least that a Java program can do: it prints a line. */
final class LeastProgram {
  private LeastProgram() {}

  public static void main(String[] args) {
    System.out.println("started");
  }
}
