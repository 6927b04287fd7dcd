package dev.ferry.web.internal.frame;

/** Arrays of a few sizes, allocated on first use. For one stream. */
public final class Scratch {
  private final int[] sizes;
  private final byte[][] arrays;

  public Scratch(int... sizes) {
    this.sizes = sizes;
    this.arrays = new byte[sizes.length][0];
  }

  /** Returns the array of one size. It still has its last content. */
  public byte[] get(int index) {
    byte[] array = arrays[index];
    if (array.length == 0) {
      array = new byte[sizes[index]];
      arrays[index] = array;
    }
    return array;
  }
}
