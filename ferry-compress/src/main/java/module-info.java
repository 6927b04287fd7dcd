/** Compression of whole messages, for Ferry alone. */
@SuppressWarnings("module") // Ferry's other modules are compiled later.
module dev.ferry.compress {
  requires com.github.luben.zstd_jni;
  requires java.logging;
  requires static org.jspecify;

  exports dev.ferry.compress to
      dev.ferry.grpc;
}
