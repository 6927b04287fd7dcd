package dev.ferry.grpc.internal;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import org.jspecify.annotations.Nullable;

/** The metadata by which a server knows its caller. */
public final class Authorization {
  static final Metadata.Key<String> KEY =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private Authorization() {}

  /**
   * Returns a channel whose calls have this metadata.
   *
   * @param value null for none, which returns the channel itself
   */
  public static Channel added(Channel channel, @Nullable String value) {
    if (value == null) {
      return channel;
    }
    Metadata metadata = new Metadata();
    metadata.put(KEY, value);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
  }
}
