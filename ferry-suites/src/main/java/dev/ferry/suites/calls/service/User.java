package dev.ferry.suites.calls.service;

/**
 * A user.
 *
 * @param userName a name, shared by a few hundred users
 * @param email an email address with this name
 * @param age from 18 to 97
 * @param address postal address
 * @param createdMillis creation time, in milliseconds since 1970-01-01T00:00:00Z
 */
public record User(String userName, String email, int age, String address, long createdMillis) {}
