/**
 * Small calls: rows, items, users and log records. Clients and servers compute the same data from a
 * seed.
 */
@NullMarked
package dev.ferry.suites.calls.service;

import org.jspecify.annotations.NullMarked;
