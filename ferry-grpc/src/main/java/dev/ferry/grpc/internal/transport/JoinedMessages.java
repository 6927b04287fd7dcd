package dev.ferry.grpc.internal.transport;

import io.grpc.CallOptions;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;

/**
 * Has the messages of a stream that came together given out together. For each message grpc-java's
 * client makes two slices of the frame and a buffer of buffers, and crosses half a dozen objects to
 * give it out: for a message of 20 bytes that is most of what receiving it costs. Here messages
 * that came whole in one frame of HTTP/2, one after the other and not compressed, are one to
 * grpc-java, and the marshaller cuts it again; nothing is copied, and on the wire nothing is
 * different. Any other message is given out as ever.
 *
 * <p>What the marshaller is given is the first message and then, for each of the others, the
 * {@value #PREFIX} bytes that were before it on the wire ({@code 0} and its length, big-endian) and
 * the message. Where the first ends is not said: in protobuf a {@code 0} is no tag, so that it ends
 * before the first {@code 0} that stands where a field might begin. A message that is malformed
 * takes those with it to which it is joined, or is read as others than were sent where a field of
 * the first is longer than that message.
 *
 * <p>It works on the Netty channels of {@link Transport.Lean}; on others every message comes alone.
 * All that is joined is one message to whoever counts messages, asks for so many, or limits their
 * size: a frame at most.
 */
public final class JoinedMessages {
  /** Bytes before each message but the first. */
  public static final int PREFIX = 5;

  private static final ClientStreamTracer.Factory ASK =
      new ClientStreamTracer.Factory() {
        private final ClientStreamTracer tracer = new Asking();

        @Override
        public ClientStreamTracer newClientStreamTracer(
            ClientStreamTracer.StreamInfo info, Metadata headers) {
          return tracer;
        }
      };

  private JoinedMessages() {}

  /**
   * Asks for it in a call, whose marshaller of responses must expect it. Not heeded where others
   * {@linkplain ForeignTracers count} messages.
   */
  public static CallOptions ask(CallOptions options) {
    return ForeignTracers.present() ? options : options.withStreamTracerFactory(ASK);
  }

  /** Is told by grpc-java of the head of the answer while its frame is being handled. */
  private static final class Asking extends ClientStreamTracer {
    @Override
    public void inboundHeaders() {
      MessageJoiner.joinStreamOfHeaders();
    }
  }
}
