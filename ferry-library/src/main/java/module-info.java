/** {@link dev.ferry.library.FerryClient} and {@link dev.ferry.library.FerryServer}. */
module dev.ferry.library {
  requires transitive dev.ferry.core;
  requires transitive dev.ferry.wire;
  requires dev.ferry.grpc;
  requires dev.ferry.http;
  requires dev.ferry.web;

  exports dev.ferry.library;
}
