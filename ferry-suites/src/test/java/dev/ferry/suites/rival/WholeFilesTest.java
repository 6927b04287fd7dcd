package dev.ferry.suites.rival;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import dev.ferry.suites.files.v1.WholeFilesProto;
import dev.ferry.wire.internal.v1.FilesProto;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The protocol of the rivals is a part of Ferry's. */
final class WholeFilesTest {
  private static final FileDescriptorProto FERRY = FilesProto.getDescriptor().toProto();
  private static final FileDescriptorProto RIVALS = WholeFilesProto.getDescriptor().toProto();

  @Test
  void service_hasMethodsOfFerry() {
    assertThat(RIVALS.getPackage()).isEqualTo(FERRY.getPackage());
    assertThat(RIVALS.getService(0).getName()).isEqualTo(FERRY.getService(0).getName());
    assertThat(FERRY.getService(0).getMethodList())
        .containsAll(RIVALS.getService(0).getMethodList());
  }

  @Test
  void messages_haveFieldsOfFerry() {
    Map<String, DescriptorProto> messages =
        FERRY.getMessageTypeList().stream()
            .collect(Collectors.toMap(DescriptorProto::getName, Function.identity()));
    assertThat(messages.keySet())
        .containsAll(RIVALS.getMessageTypeList().stream().map(DescriptorProto::getName).toList());
    for (DescriptorProto message : RIVALS.getMessageTypeList()) {
      DescriptorProto known = Objects.requireNonNull(messages.get(message.getName()));
      assertThat(fields(known)).as(message.getName()).containsAll(fields(message));
    }
    assertThat(FERRY.getEnumTypeList()).containsAll(RIVALS.getEnumTypeList());
  }

  /** An optional field is a oneof of its own, whose index depends on the other fields. */
  private static List<FieldDescriptorProto> fields(DescriptorProto message) {
    return message.getFieldList().stream()
        .map(
            field ->
                field.getProto3Optional() ? field.toBuilder().clearOneofIndex().build() : field)
        .toList();
  }
}
