package dev.ferry.suites.file;

import dev.ferry.grpc.GrpcCarrier;
import dev.ferry.grpc.Method;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Table;
import dev.ferry.suites.rival.Mover;
import dev.ferry.suites.rival.ccore.CCore;
import dev.ferry.suites.rival.ccore.CCoreClient;
import io.grpc.okhttp.OkHttpChannelBuilder;
import java.util.List;

/**
 * "Grpc.Net.Client vs Grpc.Core.Channel" of the reference: a server that a web framework hosts, and
 * different channels to it. The C core has a process of its own, and so has the server of all other
 * rows.
 */
final class MixedTables implements FileTables {
  /** The C core of gRPC by way of Python, with the messages of {@code RentedArray}. */
  private static final String CORE_CHANNEL = "CoreChannel";

  /** grpc-java over OkHttp, with the messages of {@code RentedArray}. */
  private static final String OK_HTTP_CHANNEL = "OkHttpChannel";

  @Override
  public Table table(Direction direction) {
    return new Table(
            "mixed-" + direction.table(),
            FileTables.parameters(),
            List.of(
                CORE_CHANNEL,
                Stacks.NET_CHANNEL,
                OK_HTTP_CHANNEL,
                Method.ZERO_COPY.label(),
                Stacks.HTTP_CLIENT),
            Stacks.HTTP_CLIENT)
        .onRequest();
  }

  @Override
  public Stack stack(RowKey row) {
    return switch (row.method()) {
      case CORE_CHANNEL -> {
        Stack stack =
            web(port -> CCoreClient.connect(CCore.Messages.RENTED_ARRAY, port))
                .withForeign(CCore::obstacle);
        // Who sends compresses.
        yield Direction.of(row.table()) == Direction.UPLOAD
            ? stack.withGzip(CCoreTables.GZIP)
            : stack;
      }
      case Stacks.NET_CHANNEL ->
          web(port -> Mover.of(GrpcCarrier.connect(Stacks.HOST, port, Method.RENTED_ARRAY)));
      case OK_HTTP_CHANNEL ->
          web(
              port ->
                  Mover.of(
                      GrpcCarrier.connectBy(
                          OkHttpChannelBuilder.forAddress(Stacks.HOST, port),
                          Method.RENTED_ARRAY)));
      case Stacks.HTTP_CLIENT -> Stacks.of(row.method()).inTwoProcesses();
      default ->
          web(
              port ->
                  Mover.of(GrpcCarrier.connect(Stacks.HOST, port, Stacks.setup(Method.ZERO_COPY))));
    };
  }

  private static Stack web(Stack.ClientStart client) {
    return Stacks.armeria(Stacks.H2C, Method.RENTED_ARRAY, client).inTwoProcesses();
  }
}
