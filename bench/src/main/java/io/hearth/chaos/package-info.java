/** The fault matrix: what breaks in a cluster of processes while blocks move, and what must be so after it; and the command {@code bin/hearth chaos}. */
@NullMarked
package io.hearth.chaos;

import org.jspecify.annotations.NullMarked;
