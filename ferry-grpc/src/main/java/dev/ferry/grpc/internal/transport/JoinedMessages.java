package dev.ferry.grpc.internal.transport;

import io.grpc.CallOptions;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;

/**
 * Joins messages of a stream that arrive together into one message for grpc-java. For each message
 * grpc-java's client creates two slices of the frame and a composite buffer, and calls through
 * several layers of objects. For a message of 20 bytes this is most of the cost of receiving it.
 * Therefore consecutive uncompressed messages that are complete within one HTTP/2 DATA frame are
 * passed to grpc-java as one message, and the marshaller splits it again. Nothing is copied, and
 * the wire format is unchanged. All other messages are passed on unchanged.
 *
 * <p>The marshaller receives the first message, followed by each further message with its {@value
 * #PREFIX} prefix bytes from the wire ({@code 0} and the length, big-endian). The length of the
 * first message is not stated. In protobuf {@code 0} is not a valid tag, so the first message ends
 * before the first {@code 0} at a position where a field could start. A malformed message also
 * invalidates the messages joined to it. If a field of the first message extends beyond that
 * message, the messages are parsed differently from what was sent.
 *
 * <p>This works on the Netty channels of {@link Transport.Lean}. On other channels each message
 * arrives separately. Joined messages count as one message for message counts, for the requested
 * number of messages and for size limits. They never exceed one frame.
 */
public final class JoinedMessages {
  /** Bytes before each message except the first. */
  public static final int PREFIX = 5;

  private static final ClientStreamTracer.Factory TRACERS =
      new ClientStreamTracer.Factory() {
        private final ClientStreamTracer tracer = new JoiningTracer();

        @Override
        public ClientStreamTracer newClientStreamTracer(
            ClientStreamTracer.StreamInfo info, Metadata headers) {
          return tracer;
        }
      };

  private JoinedMessages() {}

  /**
   * Enables joined messages for a call. The marshaller of the responses must support them. Has no
   * effect if {@linkplain ForeignTracers other tracers} count messages.
   */
  public static CallOptions enable(CallOptions options) {
    return ForeignTracers.present() ? options : options.withStreamTracerFactory(TRACERS);
  }

  /** grpc-java calls this tracer with the response headers while the HEADERS frame is handled. */
  private static final class JoiningTracer extends ClientStreamTracer {
    @Override
    public void inboundHeaders() {
      MessageJoiner.joinStreamOfHeaders();
    }
  }
}
