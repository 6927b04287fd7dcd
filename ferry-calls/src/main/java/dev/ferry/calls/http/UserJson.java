package dev.ferry.calls.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import dev.ferry.calls.User;
import java.io.IOException;

/** The fields of {@link User}. */
final class UserJson implements JsonAdapter<User> {
  @Override
  public void write(User user, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("userName", user.userName());
    json.writeStringField("email", user.email());
    json.writeNumberField("age", user.age());
    json.writeStringField("address", user.address());
    json.writeNumberField("createdMillis", user.createdMillis());
    json.writeEndObject();
  }

  @Override
  public JsonDraft<User> draft() {
    return new JsonDraft<>() {
      private String userName = "";
      private String email = "";
      private int age;
      private String address = "";
      private long createdMillis;

      @Override
      void clear() {
        userName = "";
        email = "";
        age = 0;
        address = "";
        createdMillis = 0;
      }

      @Override
      boolean take(String field, JsonParser json) throws IOException {
        switch (field) {
          case "userName" -> userName = text(json, field);
          case "email" -> email = text(json, field);
          case "age" -> age = small(json, field);
          case "address" -> address = text(json, field);
          case "createdMillis" -> createdMillis = integer(json, field);
          default -> {
            return false;
          }
        }
        return true;
      }

      @Override
      User whole(JsonParser json) {
        return new User(userName, email, age, address, createdMillis);
      }
    };
  }
}
