package dev.ferry.web;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.ferry.grpc.FilesEndpoint;
import dev.ferry.grpc.message.Framing;
import io.grpc.ServerMethodDefinition;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Takes calls of gRPC-Web, binary and text, past Armeria's own service to one that hands off. */
final class RawFiles extends SimpleDecoratingHttpService {
  private final HttpService next;
  private final Map<String, ServerMethodDefinition<?, ?>> methods;
  private final Framing framing;

  RawFiles(HttpService next, FilesEndpoint endpoint) {
    super(next);
    this.next = next;
    this.framing = endpoint.framing();
    this.methods =
        endpoint.definition().getMethods().stream()
            .collect(
                Collectors.toMap(
                    m -> "/" + m.getMethodDescriptor().getFullMethodName(), Function.identity()));
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
    String type = request.headers().get("content-type", "");
    ServerMethodDefinition<?, ?> method = methods.get(context.path());
    if (method == null || request.method() != HttpMethod.POST || !WebBody.isWeb(type)) {
      return next.serve(context, request);
    }
    return RawServerCall.start(context, request, method, framing)
        .recover(failure -> GrpcAnswers.refusal(type, failure));
  }
}
