/** What is said on the wire: routes, headers, limits, and how an error looks on each carrier. */
@NullMarked
package dev.ferry.contract;

import org.jspecify.annotations.NullMarked;
