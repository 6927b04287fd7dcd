package dev.ferry.core.remote;

import dev.ferry.core.FerryException;
import dev.ferry.core.ReceiveLimits;
import java.util.Map;

/**
 * Opens stores of one kind that is not part of the core. A server finds the providers on its class
 * path by {@link java.util.ServiceLoader}.
 */
public interface StoreProvider {
  /** What addresses of these stores begin with before {@code ://}, for instance {@code s3}. */
  String scheme();

  /**
   * Opens a store. The caller closes it.
   *
   * @param address what a user typed, with the {@linkplain #scheme scheme}
   * @param options what is not in the address, by names that the provider knows
   * @param limits for uploads
   * @throws IllegalArgumentException if the address or an option is wrong; the message is one line
   *     that quotes it and says what is right
   * @throws FerryException if the store does not exist, cannot be reached or denies access
   */
  RemoteStore open(String address, Map<String, String> options, ReceiveLimits limits)
      throws FerryException;
}
