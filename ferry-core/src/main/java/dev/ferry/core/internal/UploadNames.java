package dev.ferry.core.internal;

import dev.ferry.core.upload.UploadId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The names under which stores keep the state of uploads. */
public final class UploadNames {
  /** Characters of a caller's digest. The state has the whole name. */
  private static final int CALLER_CHARACTERS = 16;

  private UploadNames() {}

  /** Returns the name of an upload, which differs for each caller and id. */
  public static String of(UploadId id) {
    try {
      byte[] caller =
          MessageDigest.getInstance("SHA-256").digest(id.caller().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(caller).substring(0, CALLER_CHARACTERS) + "-" + id.toHex();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
