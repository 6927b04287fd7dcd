package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.ferry.core.FerryException;
import dev.ferry.http.internal.server.Responses;
import dev.ferry.wire.internal.Requests;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.Iterator;
import java.util.Map;

/** The responses of Ferry's own server, in Armeria's types. */
final class ArmeriaResponses {
  private ArmeriaResponses() {}

  /** A head; how the connection frames a body of unknown length is left to Armeria. */
  static ResponseHeaders head(io.netty.handler.codec.http.HttpResponse response) {
    ResponseHeadersBuilder head = ResponseHeaders.builder(response.status().code());
    Iterator<Map.Entry<String, String>> fields = response.headers().iteratorAsString();
    while (fields.hasNext()) {
      Map.Entry<String, String> field = fields.next();
      if (HttpHeaderNames.TRANSFER_ENCODING.contentEqualsIgnoreCase(field.getKey())) {
        // Otherwise the response to a HEAD would have a length of zero.
        head.contentLengthUnknown();
      } else {
        head.add(field.getKey(), field.getValue());
      }
    }
    return head.build();
  }

  /** A head and its body. */
  static HttpResponse whole(FullHttpResponse response) {
    return HttpResponse.of(head(response), body(response));
  }

  /** A body that lies in memory. */
  static HttpData body(FullHttpResponse response) {
    return HttpData.wrap(ByteBufUtil.getBytes(response.content()));
  }

  /** The problem that a failure is. */
  static HttpResponse problem(Throwable failure) {
    FerryException problem = Requests.told(failure);
    return whole(Responses.problem(problem.kind(), String.valueOf(problem.getMessage())));
  }
}
