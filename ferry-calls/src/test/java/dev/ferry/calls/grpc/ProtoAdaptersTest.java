package dev.ferry.calls.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.calls.Row;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How every adapter reads messages that no adapter writes. */
class ProtoAdaptersTest {
  static Stream<MethodDescriptor<?, ?>> methods() {
    return Stream.of(
        RowMethods.SINGLE,
        RowMethods.LIST,
        RowMethods.STREAM,
        CallMethods.ITEMS,
        CallMethods.LOG,
        CallMethods.LOG_RECORD,
        CallMethods.PAGE,
        CallMethods.USERS);
  }

  private static Object[] parse(MethodDescriptor<?, ?> method, String hex) {
    return new Object[] {method.parseRequest(stream(hex)), method.parseResponse(stream(hex))};
  }

  @ParameterizedTest
  @MethodSource("methods")
  void endOfAGroupThatHasNotBegun_isMalformed(MethodDescriptor<?, ?> method) {
    // Alone, with the number of a field there is, before a field, and of another number than began.
    for (String hex : List.of("7c", "0c", "7c0801", "7b08017401")) {
      assertMalformed(() -> method.parseRequest(stream(hex)));
      assertMalformed(() -> method.parseResponse(stream(hex)));
    }
  }

  private static void assertMalformed(Runnable parsing) {
    assertThatThrownBy(parsing::run)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL))
        .hasMessageContaining("malformed message");
  }

  @ParameterizedTest
  @MethodSource("methods")
  void unknownFields_areSkipped(MethodDescriptor<?, ?> method) {
    // Field 15: a varint, a text, and a group that has a field 1 of its own.
    assertThat(parse(method, "7805" + "7a0161" + "7b08017c"))
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(parse(method, ""));
  }

  @Test
  void elementThatEndsAGroup_isMalformed() {
    assertMalformed(() -> RowMethods.LIST.parseResponse(stream("0a017c")));
    assertThat(RowMethods.LIST.parseResponse(stream("0a020805"))).containsExactly(new Row(5, ""));
  }

  @Test
  void joinedMessages_areCutAgain() {
    String five = "0805";
    assertThat(joined("")).containsExactly(new Row(0, ""));
    assertThat(joined(five)).containsExactly(new Row(5, ""));
    assertThat(joined(five + "0000000002" + "0806" + "0000000000"))
        .containsExactly(new Row(5, ""), new Row(6, ""), new Row(0, ""));
    assertThat(joined("0000000000" + "0000000002" + five))
        .containsExactly(new Row(0, ""), new Row(0, ""), new Row(5, ""));
    // Zeros within a field, known or not, end nothing.
    assertThat(joined("0800" + "12020000" + "7a020000" + "7900000000000000" + "00" + "0000000000"))
        .containsExactly(new Row(0, "\0\0"), new Row(0, ""));
  }

  private static List<Row> joined(String hex) {
    return RowMethods.STREAM.parseResponse(stream(hex));
  }

  @Test
  void joinedMessages_cutWrongly_areMalformed() {
    for (String hex :
        List.of(
            "0805" + "00",
            "0805" + "00000000",
            "0805" + "0000000003" + "0806",
            "0805" + "0000000001" + "0806",
            "0805" + "00ffffffff" + "0806",
            "0805" + "0000000002" + "0806" + "0100000000",
            "0805" + "0000000002" + "0806" + "0806",
            "0805" + "0000000001" + "7c")) {
      assertMalformed(() -> joined(hex));
    }
    // A text that is longer than its message cannot be told from one that holds the next.
    assertThat(joined("120841" + "0000000002" + "0806"))
        .containsExactly(new Row(0, "A\0\0\0\0\2\b\6"));
  }

  @Test
  void textThatIsNotUtf8_isMalformed() {
    // A byte alone, one that is missing, an encoding that is too long, half of a surrogate pair.
    for (String hex : List.of("1201ff", "1203f09080", "1202c080", "1203eda080", "1204efbfbdff")) {
      assertMalformed(() -> RowMethods.SINGLE.parseResponse(stream(hex)));
    }
    assertThat(RowMethods.SINGLE.parseResponse(stream("1203efbfbd")))
        .isEqualTo(new Row(0, "\ufffd"));
  }

  private static ByteArrayInputStream stream(String hex) {
    return new ByteArrayInputStream(HexFormat.of().parseHex(hex));
  }
}
