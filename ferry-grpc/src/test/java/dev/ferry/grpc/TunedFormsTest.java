package dev.ferry.grpc;

import dev.ferry.core.CarrierContract;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.message.GeneratedForm;
import dev.ferry.grpc.message.RentedArrayForm;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The carrier contract for the forms that copy, on the fast transport. */
@ParameterizedClass(name = "{0}")
@MethodSource("setups")
class TunedFormsTest extends CarrierContract {
  @Parameter Supplier<MethodSetup<?>> setup = () -> MethodSetup.tuned(new GeneratedForm());

  static Stream<Named<Supplier<MethodSetup<?>>>> setups() {
    return Stream.of(
        Named.of("generated messages", () -> MethodSetup.tuned(new GeneratedForm())),
        Named.of("rented arrays", () -> MethodSetup.tuned(new RentedArrayForm())));
  }

  @Override
  protected Fixture open(FileStore store) throws Exception {
    return new SocketFixture(store, setup.get(), setup.get());
  }
}
