/** Bytes fields of any gRPC service, sent and received without copies. */
module dev.ferry.zerocopy {
  requires com.google.protobuf;
  requires transitive io.grpc;
  // Whoever sets up a server or a channel requires it; other users of Netty do without.
  requires static io.grpc.netty;
  requires transitive io.grpc.stub;
  requires transitive io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http2;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires static transitive org.jspecify;

  exports dev.ferry.zerocopy;
}
