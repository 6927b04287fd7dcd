package dev.ferry.lab.run;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * The generated file: synthetic rows of taxi rides. It has the same bytes on every machine.
 *
 * <p>It is similar to the file of the reference in size, columns and compression ratio.
 */
public final class TaxiFile {
  /** The default size of the file in bytes. */
  public static final int BYTES = 25_060_966;

  /** The name of the file in reports. */
  public static final String NAME = "taxi-fare.csv";

  private static final String HEADER =
      "vendor_id,rate_code,passenger_count,trip_time_in_secs,trip_distance,payment_type,fare_amount"
          + "\n";
  private static final long SEED = 20_241_124;

  private TaxiFile() {}

  /** Writes the complete file. The last row is truncated at the requested size. */
  public static void write(Path file, long bytes) throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 18)) {
      long left = bytes;
      byte[] line = HEADER.getBytes(StandardCharsets.US_ASCII);
      while (left > 0) {
        int n = (int) Math.min(left, line.length);
        out.write(line, 0, n);
        left -= n;
        line = ride(random).getBytes(StandardCharsets.US_ASCII);
      }
    }
  }

  private static String ride(SplittableRandom random) {
    // Most rides are short: squaring a uniform random number favors small values.
    double u = random.nextDouble();
    boolean tenths = random.nextInt(20) < 17;
    int hundredthMiles = 40 + (int) (u * u * 800);
    if (tenths) {
      hundredthMiles = hundredthMiles / 10 * 10;
    }
    int seconds =
        Math.max(60, (int) (hundredthMiles * (1.8 + random.nextDouble() * 0.8)) / 60 * 60);
    int passengers = random.nextInt(10) < 9 ? 1 : 1 + random.nextInt(6);
    int halfDollars = 5 + hundredthMiles / 20 + seconds / 150;
    return (tenths ? "CMT" : "VTS")
        + (random.nextInt(50) == 0 ? ",2," : ",1,")
        + passengers
        + ','
        + seconds
        + ','
        + hundredthMiles / 100
        + '.'
        + fraction(hundredthMiles % 100, tenths)
        + (random.nextInt(3) == 0 ? ",CSH," : ",CRD,")
        + halfDollars / 2
        + (halfDollars % 2 == 0 ? "" : ".5")
        + '\n';
  }

  private static String fraction(int hundredths, boolean tenths) {
    if (tenths) {
      return Integer.toString(hundredths / 10);
    }
    return (hundredths < 10 ? "0" : "") + hundredths;
  }
}
