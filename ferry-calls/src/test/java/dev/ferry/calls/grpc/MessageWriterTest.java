package dev.ferry.calls.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.calls.Row;
import dev.ferry.contract.v1.RowList;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Split lists, frames, and arrays that are used again. */
class MessageWriterTest {
  private static final int CUT_BYTES = 32 * 1024;

  private static final ProtoAdapter<List<Row>> FORM = new ListAdapter<>(new RowAdapter());
  private static final ProtoMarshaller<List<Row>> ROWS = new ProtoMarshaller<>(FORM);

  private static byte[] generated(List<Row> rows) {
    RowList.Builder list = RowList.newBuilder();
    rows.forEach(row -> list.addRowsBuilder().setNumber(row.number()).setName(row.name()));
    return list.build().toByteArray();
  }

  @Test
  void longList_isCutBetweenElements() {
    List<Row> rows = new ArrayList<>();
    for (int i = 1; i <= 10_000; i++) {
      rows.add(new Row(i, "name " + i));
    }
    MessageWriter out = MessageWriter.take();
    try {
      FORM.write(rows, out);
      List<byte[]> arrays = out.arrays();
      assertThat(arrays).hasSizeBetween(5, 7);
      List<Row> read = new ArrayList<>();
      for (byte[] array : arrays) {
        assertThat(array.length).isBetween(1, CUT_BYTES + 30);
        read.addAll(ROWS.parse(new EncodedMessage(List.of(array))));
      }
      assertThat(read).isEqualTo(rows);
    } finally {
      out.giveBack();
    }
  }

  @Test
  void frames_areNotCut() throws IOException {
    List<List<Row>> messages =
        List.of(
            List.of(new Row(1, "a")),
            List.of(),
            List.of(new Row(2, "x".repeat(40_000)), new Row(3, "\u20ac".repeat(50))),
            List.of(new Row(4, "b")));
    MessageWriter out = MessageWriter.take();
    try {
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      DataOutputStream frames = new DataOutputStream(expected);
      for (List<Row> message : messages) {
        byte[] bytes = generated(message);
        frames.writeByte(0);
        frames.writeInt(bytes.length);
        frames.write(bytes);
        int start = out.beginFrame();
        FORM.write(message, out);
        assertThat(out.endFrame(start)).isEqualTo(bytes.length);
      }
      assertThat(Arrays.copyOf(out.array(), out.length())).isEqualTo(expected.toByteArray());
    } finally {
      out.giveBack();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 131_000, 131_072, 131_073, 262_143, 262_145, 1_000_000})
  void shortMessage_afterALongOne_hasNothingOfIt(int length) {
    List<Row> rows = List.of(new Row(1, "y".repeat(length)));
    assertThat(ROWS.stream(rows)).hasBinaryContent(generated(rows));
    assertThat(ROWS.parse(ROWS.stream(rows))).isEqualTo(rows);
    List<Row> row = List.of(new Row(2, "z"));
    assertThat(ROWS.stream(row)).hasBinaryContent(generated(row));
    assertThat(ROWS.parse(ROWS.stream(row))).isEqualTo(row);
  }

  @Test
  void message_afterOneThatFailed_isWhole() {
    List<Row> failing = Arrays.asList(new Row(1, "a"), null);
    assertThatThrownBy(() -> ROWS.stream(failing)).isInstanceOf(NullPointerException.class);
    List<Row> row = List.of(new Row(2, "z"));
    assertThat(ROWS.stream(row)).hasBinaryContent(generated(row));
  }
}
