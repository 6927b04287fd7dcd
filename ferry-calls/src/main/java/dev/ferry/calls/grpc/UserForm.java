package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.ferry.calls.User;
import java.io.IOException;

/** {@code ferry.v1.User}. */
final class UserForm implements Form<User> {
  private static final int USER_NAME = 1;
  private static final int EMAIL = 2;
  private static final int AGE = 3;
  private static final int ADDRESS = 4;
  private static final int CREATED_MILLIS = 5;

  @Override
  public int size(User user) {
    return Fields.size(USER_NAME, user.userName())
        + Fields.size(EMAIL, user.email())
        + Fields.size(AGE, user.age())
        + Fields.size(ADDRESS, user.address())
        + Fields.size(CREATED_MILLIS, user.createdMillis());
  }

  @Override
  public void write(User user, CodedOutputStream out) throws IOException {
    Fields.write(out, USER_NAME, user.userName());
    Fields.write(out, EMAIL, user.email());
    Fields.write(out, AGE, user.age());
    Fields.write(out, ADDRESS, user.address());
    Fields.write(out, CREATED_MILLIS, user.createdMillis());
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
