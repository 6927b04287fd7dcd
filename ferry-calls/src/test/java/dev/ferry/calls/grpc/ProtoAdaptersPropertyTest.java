package dev.ferry.calls.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Lists;
import com.google.protobuf.MessageLite;
import dev.ferry.calls.Item;
import dev.ferry.calls.Row;
import dev.ferry.calls.User;
import dev.ferry.contract.v1.CallReply;
import dev.ferry.contract.v1.LogRecord;
import dev.ferry.contract.v1.PageRequest;
import dev.ferry.contract.v1.RowList;
import dev.ferry.contract.v1.UserPage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Every adapter writes the same bytes as generated code, and reads all that generated code writes.
 */
class ProtoAdaptersPropertyTest {
  private static final ProtoMarshaller<List<Row>> ROWS =
      new ProtoMarshaller<>(new ListAdapter<>(new RowAdapter()));
  private static final ProtoMarshaller<List<Item>> ITEMS =
      new ProtoMarshaller<>(new ListAdapter<>(new ItemAdapter()));
  private static final ProtoMarshaller<List<User>> USERS =
      new ProtoMarshaller<>(new ListAdapter<>(new UserAdapter()));
  private static final ProtoMarshaller<LogAdapter.Message> LOG =
      new ProtoMarshaller<>(new LogAdapter());
  private static final ProtoMarshaller<PageAdapter.Message> PAGE =
      new ProtoMarshaller<>(new PageAdapter());

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.oneOf(
        Arbitraries.strings().ascii().ofMaxLength(300),
        Arbitraries.strings().all().ofMaxLength(60),
        // Among them halves of a surrogate whose other half does not follow.
        Arbitraries.strings().withChars("a\u00e9\u20ac\ud83d\ude00").ofMaxLength(20),
        Arbitraries.strings().ascii().ofMinLength(120).ofMaxLength(130),
        Arbitraries.of("x".repeat(300_000), "x".repeat(40_000) + "\u20ac".repeat(50_000)));
  }

  @Provide
  Arbitrary<User> users() {
    Arbitrary<String> texts = texts();
    return Combinators.combine(texts, texts, Arbitraries.integers(), texts, Arbitraries.longs())
        .as(User::new);
  }

  @Property(tries = 300)
  void rows(@ForAll long number, @ForAll("texts") String name) throws IOException {
    RowList.Builder generated = RowList.newBuilder();
    generated.addRowsBuilder().setNumber(number).setName(name);
    assertSame(ROWS, List.of(new Row(number, name)), generated.build());
  }

  @Provide
  Arbitrary<Row> rowsOfAnyKind() {
    return Combinators.combine(Arbitraries.longs(), texts()).as(Row::new);
  }

  @Property(tries = 200)
  void joinedRows(@ForAll @Size(min = 1, max = 20) List<@From("rowsOfAnyKind") Row> rows)
      throws IOException {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    boolean first = true;
    for (Row row : rows) {
      byte[] message =
          dev.ferry.contract.v1.Row.newBuilder()
              .setNumber(row.number())
              .setName(row.name())
              .build()
              .toByteArray();
      if (!first) {
        joined.write(ByteBuffer.allocate(5).putInt(1, message.length).array());
      }
      joined.write(message);
      first = false;
    }
    List<Row> right = new ArrayList<>();
    for (Row row : rows) {
      right.add(new Row(row.number(), new String(row.name().getBytes(UTF_8), UTF_8)));
    }
    assertThat(RowMethods.STREAM.parseResponse(new ByteArrayInputStream(joined.toByteArray())))
        .isEqualTo(right);
  }

  @Property(tries = 300)
  void items(@ForAll long id, @ForAll("texts") String name, @ForAll double price)
      throws IOException {
    CallReply.Builder generated = CallReply.newBuilder();
    generated.addItemsBuilder().setId(id).setName(name).setPrice(price);
    assertSame(ITEMS, List.of(new Item(id, name, price)), generated.build());
  }

  @Property(tries = 200)
  void pagesOfUsers(@ForAll @Size(max = 30) List<@From("users") User> users) throws IOException {
    UserPage.Builder generated = UserPage.newBuilder();
    for (User user : users) {
      generated
          .addUsersBuilder()
          .setUserName(user.userName())
          .setEmail(user.email())
          .setAge(user.age())
          .setAddress(user.address())
          .setCreatedMillis(user.createdMillis());
    }
    assertSame(USERS, users, generated.build());
  }

  @Property(tries = 300)
  void logRecords(
      @ForAll("texts") String message,
      @ForAll int level,
      @ForAll("texts") String category,
      @ForAll long timestampMillis)
      throws IOException {
    assertSame(
        LOG,
        new LogAdapter.Message(message, level, category, timestampMillis),
        LogRecord.newBuilder()
            .setMessage(message)
            .setLevelValue(level)
            .setCategory(category)
            .setTimestampMillis(timestampMillis)
            .build());
  }

  @Property
  void pageRequests(@ForAll long page, @ForAll long size) throws IOException {
    assertSame(
        PAGE,
        new PageAdapter.Message(page, size),
        PageRequest.newBuilder().setPage(page).setSize(size).build());
  }

  @Property(tries = 20)
  void arraysOfALongList(@ForAll @IntRange(min = 1, max = 20_000) int count) throws IOException {
    RowList.Builder generated = RowList.newBuilder();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      generated.addRowsBuilder().setNumber(i).setName("name " + i);
      rows.add(new Row(i, "name " + i));
    }
    assertSame(ROWS, rows, generated.build());
  }

  @Example
  void listThatWritesAnotherMessageWhileItIsWritten_isWhole() throws IOException {
    RowList.Builder generated = RowList.newBuilder();
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      generated.addRowsBuilder().setNumber(i).setName("a");
      numbers.add(i);
    }
    // Makes each row when it is accessed.
    List<Row> rows =
        Lists.transform(
            numbers,
            i -> {
              assertThat(PAGE.stream(new PageAdapter.Message(1, 2)))
                  .hasBinaryContent(new byte[] {8, 1, 16, 2});
              return new Row(i, "a");
            });
    assertSame(ROWS, rows, generated.build());
  }

  private static <T> void assertSame(ProtoMarshaller<T> adapter, T value, MessageLite generated)
      throws IOException {
    byte[] expected = generated.toByteArray();
    assertContent(adapter.stream(value), expected);
    ByteArrayOutputStream drained = new ByteArrayOutputStream();
    EncodedMessage message = (EncodedMessage) adapter.stream(value);
    assertThat(message.available()).isEqualTo(expected.length);
    if (expected.length > 0) {
      drained.write(message.read());
    }
    assertThat(message.drainTo(drained)).isEqualTo(Math.max(0, expected.length - 1));
    assertThat(Arrays.mismatch(drained.toByteArray(), expected)).isEqualTo(-1);
    assertThat(message.read()).isEqualTo(-1);
    assertContent(adapter.stream(adapter.parse(new ByteArrayInputStream(expected))), expected);
    // This one has a length that is known, and is read by way of an array that is used again.
    assertContent(adapter.stream(adapter.parse(adapter.stream(value))), expected);
  }

  /** AssertJ looks at each byte as an object, and some of these messages are megabytes. */
  private static void assertContent(InputStream stream, byte[] expected) throws IOException {
    assertThat(Arrays.mismatch(stream.readAllBytes(), expected)).isEqualTo(-1);
  }
}
