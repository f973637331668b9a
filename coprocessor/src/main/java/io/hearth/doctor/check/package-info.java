/** The checks: each a pure function of what was read from a cluster, and all of them in the order in which they are told. */
@NullMarked
package io.hearth.doctor.check;

import org.jspecify.annotations.NullMarked;
