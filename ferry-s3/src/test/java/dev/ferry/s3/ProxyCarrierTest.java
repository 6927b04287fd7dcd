package dev.ferry.s3;

import dev.ferry.s3.store.ProxyStore;
import dev.ferry.s3.store.TestBucket;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The carrier contract over a store on S3Proxy. A build that is not thorough leaves out what the
 * modules of the carriers test and no store can break.
 */
@ExtendWith(ProxyCarrierTest.OfTheStore.class)
final class ProxyCarrierTest extends S3CarrierContract {
  /** Whether a test shows more of a store than that it keeps files. */
  static final class OfTheStore implements ExecutionCondition {
    private static final Pattern OF_CARRIERS =
        Pattern.compile(
            "(path_thatIsInvalid|change_ofAnInvalid|progress_|transferAll_"
                + "|roundTrip_(sizes|chunk|withEach|gzip)|parallel_(sizes|withEach|missing)"
                + "|make_tooMany|list_ofManyEntries"
                + "|download_withAnotherDigest).*");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      boolean ofCarriers =
          context
              .getTestMethod()
              .filter(test -> OF_CARRIERS.matcher(test.getName()).matches())
              .isPresent();
      return ofCarriers && !Boolean.getBoolean("ferry.thorough")
          ? ConditionEvaluationResult.disabled("the modules of the carriers have it; -Pthorough")
          : ConditionEvaluationResult.enabled("of the store, or -Pthorough");
    }
  }

  private @Nullable ProxyStore proxy;

  ProxyCarrierTest() {
    super(0);
  }

  @Override
  TestBucket bucket() throws Exception {
    ProxyStore started = ProxyStore.start();
    proxy = started;
    return started.bucket();
  }

  @AfterAll
  void stopProxy() throws Exception {
    if (proxy != null) {
      proxy.close();
    }
  }
}
