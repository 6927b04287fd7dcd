package dev.ferry.cli;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.remote.RemoteStore;
import dev.ferry.core.remote.StoreProvider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for a store in an S3 object store. */
final class RemoteStoreFlags {
  private static final Pattern ADDRESS = Pattern.compile("[a-z][a-z0-9+.-]*://.*");
  private static final String SEPARATOR = "://";
  private static final String S3 = "s3";
  private static final String ENDPOINT = "--s3-endpoint";
  private static final String REGION = "--s3-region";
  private static final String PATH_STYLE = "--s3-path-style";
  private static final String MEMORY = "--s3-memory";

  /** What is about the disk of a folder. */
  private static final List<String> OF_FOLDERS =
      List.of("--keep-free", "--verify-disk", "--durable");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = ENDPOINT,
      paramLabel = "URL",
      description = "The object store of s3://BUCKET/PREFIX, unless it is AWS.")
  private @Nullable String endpoint;

  @Option(
      names = REGION,
      paramLabel = "REGION",
      description =
          "The region of the bucket (default: that of AWS_REGION or of the AWS profile; with"
              + " --s3-endpoint, else us-east-1).")
  private @Nullable String region;

  @Option(
      names = PATH_STYLE,
      description =
          "Name the bucket in the path of requests, and not in their host name. Most object stores"
              + " other than AWS need it.")
  private boolean pathStyle;

  @Option(
      names = MEMORY,
      paramLabel = "SIZE",
      description =
          "The most memory outside of the heap for all transfers together, 128M or more (default:"
              + " 512M, or a third of the heap if that is less).")
  private @Nullable String memory;

  /** Whether a text is an address of a store elsewhere, and not the name of a folder. */
  static boolean isAddress(String text) {
    return ADDRESS.matcher(text).matches();
  }

  /** Refuses these options if a folder is served. */
  void requireNone() {
    refuse(
        List.of(ENDPOINT, REGION, PATH_STYLE, MEMORY),
        "needs an address of an object store, s3://BUCKET/PREFIX, in place of a folder");
  }

  /** Opens a store elsewhere. The caller closes it. */
  RemoteStore open(String address, ReceiveLimits limits) throws FerryException {
    refuse(OF_FOLDERS, "is for folders, and " + address + " has no disk here");
    try {
      return provider(address).open(address, options(), limits);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private void refuse(List<String> options, String why) {
    for (String option : options) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new ParameterException(spec.commandLine(), option + ": " + why);
      }
    }
  }

  private Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("endpoint", endpoint);
    options.put("region", region);
    options.put("path-style", "" + pathStyle);
    options.put("memory", memory);
    options.values().removeIf(Objects::isNull);
    return options;
  }

  private StoreProvider provider(String address) throws FerryException {
    String scheme = address.substring(0, address.indexOf(SEPARATOR));
    for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
      if (provider.scheme().equals(scheme)) {
        return provider;
      }
    }
    if (!scheme.equals(S3)) {
      throw new ParameterException(
          spec.commandLine(),
          "'" + address + "': name a folder to serve, or an address s3://BUCKET/PREFIX");
    }
    throw new FerryException(
        ErrorKind.INVALID_REQUEST,
        address
            + ": ferry-s3.jar is not installed; install the package ferry-s3, or put the jar next"
            + " to ferry.jar");
  }
}
