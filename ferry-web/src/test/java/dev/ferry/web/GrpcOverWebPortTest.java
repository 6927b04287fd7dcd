package dev.ferry.web;

import dev.ferry.core.CarrierContract;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.GrpcCarrier;
import dev.ferry.grpc.Method;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The carrier contract for grpc-java's clients with the web port. */
@ParameterizedClass(name = "{0} client")
@EnumSource(
    value = Method.class,
    names = {"DEFAULT", "ZERO_COPY"})
class GrpcOverWebPortTest extends CarrierContract {
  @Parameter Method client = Method.DEFAULT;

  @Override
  protected Fixture open(FileStore store) throws FerryException {
    return new Pair(store, port -> GrpcCarrier.connect("127.0.0.1", port, client));
  }
}
