/** A heal after a crash on a cluster in this JVM, against what the bandwidth allows. */
@NullMarked
package io.hearth.bench.crash;

import org.jspecify.annotations.NullMarked;
