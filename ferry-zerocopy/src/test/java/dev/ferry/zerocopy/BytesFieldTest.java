package dev.ferry.zerocopy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.MessageLite;
import example.blobs.Blob;
import example.blobs.Choice;
import example.blobs.Old;
import example.blobs.WriteResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BytesFieldTest {
  @Test
  void of_singleFieldOfBytes_isTaken() {
    assertThat(BytesField.of(Blob.getDefaultInstance(), Blob.DATA_FIELD_NUMBER).isAlone()).isTrue();
    assertThat(BytesField.of(Choice.getDefaultInstance(), Choice.CHUNK_FIELD_NUMBER).isAlone())
        .isFalse();
    assertThat(BytesField.of(Choice.getDefaultInstance(), Choice.MAYBE_FIELD_NUMBER).isAlone())
        .isTrue();
    assertThat(BytesField.of(Old.getDefaultInstance(), Old.DATA_FIELD_NUMBER).isAlone()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 3, 5, 300, 17, 1 << 29})
  void of_anotherField_isRefusedByName(int number) {
    refused(Choice.getDefaultInstance(), number);
  }

  @Test
  void of_stringOrGroupOfProto2_isRefused() {
    refused(Old.getDefaultInstance(), Old.TEXT_FIELD_NUMBER);
    refused(Old.getDefaultInstance(), 4);
    refused(WriteResponse.getDefaultInstance(), 1);
  }

  private static void refused(MessageLite prototype, int number) {
    assertThatThrownBy(() -> BytesField.of(prototype, number))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("field " + number + " of " + prototype.getClass().getName())
        .hasMessageContaining("bytes");
  }

  @Test
  void message_whoseRestHasBytes_isRefused() {
    BytesField<Blob> data = BytesField.of(Blob.getDefaultInstance(), Blob.DATA_FIELD_NUMBER);
    Blob rest = Blob.newBuilder().setData(com.google.protobuf.ByteString.copyFromUtf8("x")).build();
    assertThatThrownBy(() -> data.message(rest, new byte[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("leave it unset");
  }
}
