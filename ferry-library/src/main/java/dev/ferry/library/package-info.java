/**
 * The entrance to Ferry for programs: {@link FerryClient} uploads and downloads, {@link
 * FerryServer} serves a store.
 */
@NullMarked
package dev.ferry.library;

import org.jspecify.annotations.NullMarked;
