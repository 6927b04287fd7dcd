/** A program on the module path. */
module program {
  requires dev.ferry.library;
}
