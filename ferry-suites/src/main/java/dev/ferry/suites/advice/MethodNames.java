package dev.ferry.suites.advice;

import dev.ferry.lab.model.RowKey;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What people call the methods of the tables, which keep the short keys of published reports. */
public final class MethodNames {
  private static final String MOST = "grpc-java as most write it";
  private static final String OWN_ZERO_COPY = "grpc-java with ferry-zerocopy";
  private static final String JDK = "java.net.http";

  private static final Map<String, String> FILES =
      Map.ofEntries(
          Map.entry("Default", MOST),
          Map.entry("RentedArray", "grpc-java with pooled arrays"),
          Map.entry("ZeroCopy", "Ferry's gRPC"),
          Map.entry("ZeroCopyBare", "Ferry's gRPC without checksum"),
          Map.entry("ZeroCopyIntel", "Ferry's gRPC with Intel's gzip"),
          Map.entry("ZeroCopyKnown", "Ferry's gRPC with a known digest"),
          Map.entry("OwnZeroCopy", OWN_ZERO_COPY),
          Map.entry("FerryHttp", "Ferry's HTTP"),
          Map.entry("DefaultTuned", "generated messages on Ferry's transport"),
          Map.entry("RentedArrayTuned", "pooled arrays on Ferry's transport"),
          Map.entry("GrpcStock", "grpc-java as its documentation shows it"),
          Map.entry("GrpcDefault", "grpc-java at its defaults"),
          Map.entry("GrpcTuned", "tuned grpc-java"),
          Map.entry("Stock", "grpc-java with generated code"),
          Map.entry("StockTuned", "tuned grpc-java"),
          Map.entry("AliasingReceive", "tuned grpc-java that receives views"),
          Map.entry("CoreChannel", "gRPC's C core through Python"),
          Map.entry("NetChannel", "grpc-java on Netty"),
          Map.entry("OkHttpChannel", "grpc-java on OkHttp"),
          Map.entry("FerryServer", "gRPC-Web to Ferry's server"),
          Map.entry("FerryServerHttp2", "gRPC-Web to Ferry's server over HTTP/2"),
          Map.entry("HttpClientFile", JDK),
          Map.entry("HttpClientFileKnown", JDK + " with a known digest"),
          Map.entry("HttpClientOnArmeria", JDK + " to Armeria's server"),
          Map.entry("HttpClientOnArmeriaFiles", JDK + " to Armeria's file service"),
          Map.entry("HttpClientOnJdk", JDK + " to the JDK's server"),
          Map.entry("HttpClientOnJetty", JDK + " to Jetty's server"),
          Map.entry("HttpClientOnNginx", JDK + " to nginx"),
          Map.entry("Apache", "Apache HttpClient 5 at its defaults"),
          Map.entry("ApacheTuned", "Apache HttpClient 5"),
          Map.entry("Netty", "Netty at both ends"),
          Map.entry("NginxCurl", "curl from and to nginx"),
          Map.entry("TlsSocket", "TLS without a protocol"));

  private static final Map<String, String> CALLS =
      Map.ofEntries(
          Map.entry("Single", "a blocking call for each row"),
          Map.entry("SingleAsyncTask", "a future for each row"),
          Map.entry("SingleAsyncValueTask", "a callback for each row"),
          Map.entry("SingleTuned", "a tuned call for each row"),
          Map.entry("SinglePipelined", "64 tuned calls at once"),
          Map.entry("ListReplySync", "one list by a blocking call"),
          Map.entry("ListReplyAsync", "one list by a future"),
          Map.entry("ListReplyValueTaskAsync", "one list by a callback"),
          Map.entry("ListReplyTuned", "one list by a tuned call"),
          Map.entry("ArrayReplyAsync", "one list of an array by a future"),
          Map.entry("ArrayReplyValueTaskAsync", "one list of an array by a callback"),
          Map.entry("EnumerableReply", "one list that is written as it is made"),
          Map.entry("AsyncEnumerableReply", "a stream of rows"),
          Map.entry("AsyncEnumerableReplyBlocking", "a stream of rows by a blocking call"),
          Map.entry("AsyncEnumerableReplyTuned", "a tuned stream of rows"),
          Map.entry("BatchedStream", "a tuned stream of lists"),
          Map.entry("HttpJsonArray", "a JSON array by " + JDK),
          Map.entry("HttpJsonLines", "JSON lines by " + JDK),
          Map.entry("HttpJsonArrayTuned", "a JSON array by OkHttp"),
          Map.entry("HttpJsonLinesTuned", "JSON lines by OkHttp"),
          Map.entry("CallGrpcEndpointAsyncReuseChannel", "grpc-java with one channel"),
          Map.entry("CallGrpcEndpointAsyncNewChannel", "grpc-java with new channels"),
          Map.entry("CallWebAPIEndpointReuseHTTPClient", JDK + " with one client"),
          Map.entry("CallWebAPIEndpointNewHTTPClient", JDK + " with new clients"),
          Map.entry("GrpcReuseChannelTuned", "tuned grpc-java with one channel"),
          Map.entry("GrpcNewChannelTuned", "tuned grpc-java with new channels"),
          Map.entry("HttpReuseClientTuned", "OkHttp with one client"),
          Map.entry("HttpNewClientTuned", "OkHttp with new clients"),
          Map.entry("HttpNewClientSharedThreads", JDK + " with new clients on kept threads"),
          Map.entry("HttpNewConnectionTuned", "HttpURLConnection with new connections"),
          Map.entry("WebApiHttp1Async", JDK),
          Map.entry("WebApiHttp2Async", JDK + " over HTTP/2"),
          Map.entry("WebApiHttp1NewClient", JDK + " with new clients"),
          Map.entry("WebApiHttp1Tuned", "OkHttp"),
          Map.entry("WebApiHttp2Tuned", "OkHttp over HTTP/2"),
          Map.entry("WebApiHttp1TunedBlocking", "OkHttp with blocking calls"),
          Map.entry("WebApiHttp2TunedBlocking", "OkHttp over HTTP/2 with blocking calls"),
          Map.entry("GrpcHttp2Async", MOST),
          Map.entry("GrpcHttp2NewChannel", "grpc-java with new channels"),
          Map.entry("GrpcHttp2Tuned", "tuned grpc-java"),
          Map.entry("GrpcHttp2TunedBlocking", "tuned grpc-java with blocking calls"));

  /** The HTTP clients of the tables that compare each at its defaults and tuned. */
  private static final Map<String, String> CLIENTS =
      Map.of(
          "HttpClient", JDK,
          "OkHttp", "OkHttp",
          "Apache", "Apache HttpClient 5",
          "Jetty", "Jetty's client",
          "ReactorNetty", "Reactor Netty",
          "Armeria", "Armeria's client");

  private static final Pattern CLIENT =
      Pattern.compile("(?<client>[A-Za-z]+?)(?<http2>Http2)?(?<tuned>Tuned)?");

  /** Methods that are something else in some tables, by the start of these tables' names. */
  private static final Map<String, Map<String, String>> ELSEWHERE =
      Map.of(
          "grpc/", Map.of("ZeroCopy", OWN_ZERO_COPY),
          "file-transfer-short/", Map.of("Grpc", MOST, "Http", JDK),
          "file-transfer/own-service-", Map.of("ZeroCopy", OWN_ZERO_COPY),
          "file-transfer/mixed-", Map.of("ZeroCopy", "Ferry's gRPC client"),
          "file-transfer/grpc-web-",
              Map.of(
                  "Default", "gRPC-Web by Armeria",
                  "RentedArray", "gRPC-Web by Armeria with pooled arrays"),
          "file-transfer/c-core-",
              Map.of(
                  "Default", "gRPC's C core through Python",
                  "RentedArray", "gRPC's C core with bytes as messages",
                  "NetChannel", "grpc-java to gRPC's C core"),
          "tasks/files-",
              Map.of("WebApiHttp1Tuned", "Apache HttpClient 5", "GrpcHttp2Tuned", "Ferry's gRPC"),
          "open-loop/files",
              Map.of("WebApiHttp1Tuned", "Apache HttpClient 5", "GrpcHttp2Tuned", "Ferry's gRPC"),
          "url/", Map.of("Curl", "curl"),
          "commands/",
              Map.of(
                  "FerryGrpc", "ferry over gRPC",
                  "FerryHttp", "ferry over HTTP",
                  "FerryStat", "ferry stat",
                  "FerryList", "ferry ls",
                  "JavaProgram", "the smallest program of Java",
                  "Curl", "curl",
                  "CurlParallel", "curl with requests at once",
                  "Rsync", "rsync",
                  "RcloneWebDav", "rclone over WebDAV"));

  private MethodNames() {}

  /** Returns what people call the method of a row; empty for A/A rows, and unknown methods. */
  public static Optional<String> of(RowKey row) {
    return ELSEWHERE.entrySet().stream()
        .filter(tables -> row.tableName().startsWith(tables.getKey()))
        .flatMap(tables -> Optional.ofNullable(tables.getValue().get(row.method())).stream())
        .findFirst()
        .or(() -> Optional.ofNullable(FILES.get(row.method())))
        .or(() -> Optional.ofNullable(CALLS.get(row.method())))
        .or(() -> client(row.method()));
  }

  private static Optional<String> client(String method) {
    Matcher parts = CLIENT.matcher(method);
    String client = parts.matches() ? CLIENTS.get(parts.group("client")) : null;
    return client == null
        ? Optional.empty()
        : Optional.of(
            (parts.group("tuned") == null ? "" : "tuned ")
                + client
                + (parts.group("http2") == null ? "" : " over HTTP/2"));
  }
}
