/** Renders a run document as text, Markdown, HTML and SVG. */
@NullMarked
package dev.ferry.lab.report;

import org.jspecify.annotations.NullMarked;
