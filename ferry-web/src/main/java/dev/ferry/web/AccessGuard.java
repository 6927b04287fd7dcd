package dev.ferry.web;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.ferry.http.server.Responses;
import dev.ferry.net.AccessRules;
import io.netty.handler.codec.http.FullHttpResponse;
import java.util.ArrayList;
import java.util.List;

/** Answers requests for the server's own hosts and pages alone, calls as well as routes. */
final class AccessGuard extends SimpleDecoratingHttpService {
  /**
   * The server's name to Armeria, which it gives to a request without a host. Nobody can have it
   * (RFC 6761), so that such requests are found.
   */
  static final String NO_HOST = "no-host.invalid";

  private final AccessRules rules;

  AccessGuard(HttpService next, AccessRules rules) {
    super(next);
    this.rules = rules;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
    RequestHeaders asked = request.headers();
    AccessRules.Refusal refusal = rules.refusal(hosts(asked), asked.getAll(HttpHeaderNames.ORIGIN));
    return refusal == null
        ? unwrap().serve(context, request)
        : answer(refusal, GrpcAnswers.isGrpc(request));
  }

  /**
   * A problem; clients of gRPC find its text among the fields.
   *
   * @param call whether gRPC asked, in whichever format
   */
  static HttpResponse answer(AccessRules.Refusal refusal, boolean call) {
    FullHttpResponse problem = Responses.refusal(refusal);
    ResponseHeaders head = Answers.head(problem);
    return HttpResponse.of(
        call ? head.withMutations(fields -> fields.add(GrpcAnswers.fields(refusal))) : head,
        Answers.body(problem));
  }

  /** {@code :authority}, and a {@code Host} that says the same (RFC 9113, 8.3.1), are one. */
  private static List<String> hosts(RequestHeaders fields) {
    List<String> hosts = new ArrayList<>(fields.getAll(HttpHeaderNames.HOST));
    String authority = fields.get(HttpHeaderNames.AUTHORITY);
    if (authority != null) {
      hosts.removeIf(authority::equalsIgnoreCase);
      hosts.add(authority);
    }
    hosts.removeIf(host -> host.startsWith(NO_HOST));
    return hosts;
  }
}
