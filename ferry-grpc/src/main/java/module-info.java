/** Clients and servers over gRPC. */
@SuppressWarnings("module") // Ferry's other modules are compiled later.
module dev.ferry.grpc {
  requires transitive dev.ferry.core;
  requires transitive dev.ferry.wire;
  requires dev.ferry.zerocopy;
  requires com.google.protobuf;
  requires dev.ferry.compress;
  requires io.grpc;
  requires io.grpc.netty;
  requires io.grpc.services;
  requires io.grpc.stub;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http2;
  requires io.netty.common;
  requires io.netty.handler;
  // For grpc-java, which cannot ask for it: it has names, but no descriptors.
  requires io.netty.handler.proxy;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires org.slf4j;

  exports dev.ferry.grpc;
  exports dev.ferry.grpc.internal to
      dev.ferry.web;
  exports dev.ferry.grpc.internal.message to
      dev.ferry.web;
}
