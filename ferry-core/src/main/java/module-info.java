/** Stores, sources, sinks, digests and error kinds, and the local store. */
@SuppressWarnings("module") // Ferry's other modules are compiled later.
module dev.ferry.core {
  requires static transitive org.jspecify;

  exports dev.ferry.core;
  exports dev.ferry.core.local;
  exports dev.ferry.core.remote;
  exports dev.ferry.core.upload;
  exports dev.ferry.core.internal to
      dev.ferry.wire,
      dev.ferry.grpc,
      dev.ferry.http,
      dev.ferry.web,
      dev.ferry.library,
      dev.ferry.s3;
}
