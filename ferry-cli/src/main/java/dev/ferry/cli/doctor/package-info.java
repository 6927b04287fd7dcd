/** Whether a machine is ready to serve files. */
@NullMarked
package dev.ferry.cli.doctor;

import org.jspecify.annotations.NullMarked;
