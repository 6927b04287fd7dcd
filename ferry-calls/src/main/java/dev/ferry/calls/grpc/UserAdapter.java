package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import dev.ferry.calls.User;
import java.io.IOException;

/** Adapter of {@code ferry.v1.User}. */
final class UserAdapter implements ProtoAdapter<User> {
  private static final int USER_NAME = 1;
  private static final int EMAIL = 2;
  private static final int AGE = 3;
  private static final int ADDRESS = 4;
  private static final int CREATED_MILLIS = 5;

  @Override
  public void write(User user, MessageWriter out) {
    out.write(USER_NAME, user.userName());
    out.write(EMAIL, user.email());
    out.write(AGE, user.age());
    out.write(ADDRESS, user.address());
    out.write(CREATED_MILLIS, user.createdMillis());
  }

  @Override
  public User read(CodedInputStream in) throws IOException {
    String userName = "";
    String email = "";
    int age = 0;
    String address = "";
    long createdMillis = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Fields.bytes(USER_NAME)) {
        userName = in.readStringRequireUtf8();
      } else if (tag == Fields.bytes(EMAIL)) {
        email = in.readStringRequireUtf8();
      } else if (tag == Fields.varint(AGE)) {
        age = in.readInt32();
      } else if (tag == Fields.bytes(ADDRESS)) {
        address = in.readStringRequireUtf8();
      } else if (tag == Fields.varint(CREATED_MILLIS)) {
        createdMillis = in.readInt64();
      } else {
        Fields.skip(in, tag);
      }
    }
    return new User(userName, email, age, address, createdMillis);
  }
}
