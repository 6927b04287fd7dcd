package dev.ferry.zerocopy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what a field is. The lite runtime has no descriptors, so this tries: of a singular
 * field of bytes that a message has twice, its parser keeps the second, to the letter.
 */
final class FieldKind {
  /** Not UTF-8, not a message, not packed numbers. */
  private static final byte[] FIRST = {(byte) 0xff, (byte) 0xfe, (byte) 0xff};

  private static final byte[] SECOND = {(byte) 0xfd, (byte) 0xff, (byte) 0xff};

  /** Of a class with this superclass, no descriptor is asked for. */
  private static final String LITE = "com.google.protobuf.GeneratedMessageLite";

  private static final int MAX_NUMBER = (1 << 29) - 1;

  private FieldKind() {}

  /**
   * Returns whether a field is known to be in no {@code oneof}.
   *
   * @throws IllegalArgumentException if the field is not a singular one of bytes
   */
  static boolean isAlone(MessageLite prototype, int number) {
    boolean lite = isLite(prototype);
    boolean single =
        number >= 1
            && number <= MAX_NUMBER
            && (lite ? keepsTheSecond(prototype, number) : Full.isSingle(prototype, number));
    if (!single) {
      throw new IllegalArgumentException(
          "field "
              + number
              + " of "
              + prototype.getClass().getName()
              + " is not a single field of type bytes"
              + (lite ? "" : " (" + Full.singleFields(prototype) + ")")
              + ", so it cannot be sent without copies;"
              + " repeated fields, fields of nested messages and other types stay with the generated"
              + " code");
    }
    return !lite && Full.isAlone(prototype, number);
  }

  private static boolean isLite(MessageLite prototype) {
    for (Class<?> type = prototype.getClass(); type != null; type = type.getSuperclass()) {
      if (type.getName().equals(LITE)) {
        return true;
      }
    }
    return false;
  }

  private static boolean keepsTheSecond(MessageLite prototype, int number) {
    ByteString second = encoded(number, SECOND);
    try {
      MessageLite parsed =
          prototype.getParserForType().parsePartialFrom(encoded(number, FIRST).concat(second));
      return parsed.toByteString().equals(second);
    } catch (InvalidProtocolBufferException e) {
      // A string, a message, or packed numbers.
      return false;
    }
  }

  private static ByteString encoded(int number, byte[] bytes) {
    ByteString.Output output = ByteString.newOutput();
    try {
      CodedOutputStream coded = CodedOutputStream.newInstance(output);
      coded.writeByteArray(number, bytes);
      coded.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return output.toByteString();
  }

  /** Loaded only with the full runtime. */
  private static final class Full {
    private static @Nullable FieldDescriptor field(MessageLite prototype, int number) {
      return ((Message) prototype).getDescriptorForType().findFieldByNumber(number);
    }

    /** Returns the fields that the number of the user might mean. */
    static String singleFields(MessageLite prototype) {
      String fields =
          ((Message) prototype)
              .getDescriptorForType().getFields().stream()
                  .filter(field -> isSingle(prototype, field.getNumber()))
                  .map(field -> field.getName() + " = " + field.getNumber())
                  .collect(Collectors.joining(", "));
      return fields.isEmpty() ? "the message has none" : "the message has " + fields;
    }

    static boolean isSingle(MessageLite prototype, int number) {
      FieldDescriptor field = field(prototype, number);
      return field != null && field.getType() == FieldDescriptor.Type.BYTES && !field.isRepeated();
    }

    static boolean isAlone(MessageLite prototype, int number) {
      FieldDescriptor field = field(prototype, number);
      return field != null && field.getRealContainingOneof() == null;
    }
  }
}
