package dev.ferry.web.internal;

import dev.ferry.web.internal.frame.Deframer;
import dev.ferry.web.internal.frame.FrameRules;
import io.grpc.Codec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What gRPC-Web adds to gRPC frames: content types, and trailers as the last frame. */
final class WebBody {
  static final String IDENTITY = "identity";

  private static final String GRPC = "application/grpc";
  private static final String TYPE = "application/grpc-web";
  private static final String TEXT = "application/grpc-web-text";
  private static final String PROTO = "+proto";

  private WebBody() {}

  /** Returns whether a content type is a gRPC content type of any format. */
  static boolean isGrpc(String type) {
    return bare(type).startsWith(GRPC);
  }

  /** Returns whether a content type is a gRPC-Web content type with protobuf messages. */
  static boolean isWeb(String type) {
    String bare = bare(type);
    return Stream.of(TYPE, TEXT).anyMatch(t -> bare.equals(t) || bare.equals(t + PROTO));
  }

  /** Returns whether bodies of a content type are base64. */
  static boolean isText(String type) {
    return bare(type).startsWith(TEXT);
  }

  private static String bare(String type) {
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  static String type(boolean text) {
    return (text ? TEXT : TYPE) + PROTO;
  }

  /** Returns the value of {@code grpc-accept-encoding}. */
  static String names(List<? extends Codec> codecs) {
    return codecs.stream().map(Codec::getMessageEncoding).collect(Collectors.joining(","));
  }

  /** Returns the codec of an encoding; null if there is none. */
  static @Nullable Codec codec(List<? extends Codec> codecs, @Nullable String encoding) {
    for (Codec codec : codecs) {
      if (codec.getMessageEncoding().equals(encoding)) {
        return codec;
      }
    }
    return null;
  }

  /** Encodes fields as the frame that ends a body. */
  static ByteBuf trailers(HttpHeaders fields) {
    StringBuilder lines = new StringBuilder();
    for (Map.Entry<String, String> field : fields) {
      lines.append(field.getKey()).append(": ").append(field.getValue()).append("\r\n");
    }
    byte[] text = lines.toString().getBytes(StandardCharsets.US_ASCII);
    return Unpooled.buffer(FrameRules.HEADER_BYTES + text.length)
        .writeByte(FrameRules.TRAILERS)
        .writeInt(text.length)
        .writeBytes(text);
  }

  /** Returns the decompressed message, or the message itself if it is not compressed. */
  static InputStream decompressed(Deframer.Frame frame, @Nullable Codec codec) throws IOException {
    return frame.isCompressed() && codec != null
        ? codec.decompress(frame.message())
        : frame.message();
  }
}
