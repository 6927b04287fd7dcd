/**
 * HTTP whose bodies are compressed block by block on all cores: a format of the bench alone, to
 * compare codecs and not protocols.
 */
@NullMarked
package dev.ferry.suites.rival.blocks;

import org.jspecify.annotations.NullMarked;
