package dev.ferry.calls;

/**
 * A user.
 *
 * @param userName a name, unique to a few hundred users
 * @param email an address of the same name
 * @param age from 18 to 97
 * @param address where the user lives
 * @param createdMillis when the user was created, in milliseconds since 1970-01-01T00:00:00Z
 */
public record User(String userName, String email, int age, String address, long createdMillis) {}
