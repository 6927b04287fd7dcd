package dev.ferry.lab.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FuzzTarget;
import dev.ferry.core.Fuzzing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Files of samples, as a process leaves them that was killed, and the histograms in them. */
final class SamplesFuzzTest implements FuzzTarget {
  @Override
  public void parse(byte[] input) throws Exception {
    Path folder = Fuzzing.emptyFolder("samples");
    Path file = Files.write(folder.resolve("row.jsonl"), input);
    histogram(Base64.getEncoder().encodeToString(input));
    histogram(new String(input, StandardCharsets.ISO_8859_1));
    try {
      Path written = folder.resolve("written.jsonl");
      for (Sample sample : Sample.read(file)) {
        histogram(sample.latencies());
        sample.appendTo(written);
      }
      assertThat(Sample.read(written)).isEqualTo(Sample.read(file));
    } catch (IOException e) {
      assertThat(String.valueOf(e.getMessage())).isNotEmpty();
    }
  }

  private static void histogram(@Nullable String text) {
    if (text == null) {
      return;
    }
    try {
      Histogram histogram = HistogramText.decode(text);
      assertThat(HistogramText.decode(HistogramText.encode(histogram))).isEqualTo(histogram);
    } catch (IllegalArgumentException e) {
      assertThat(e).isExactlyInstanceOf(IllegalArgumentException.class);
    }
  }
}
