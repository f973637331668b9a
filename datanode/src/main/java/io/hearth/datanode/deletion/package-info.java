/** Deletions of replicas that wait until no reader needs them: what waits, for how long, and what makes it end early. */
@NullMarked
package io.hearth.datanode.deletion;

import org.jspecify.annotations.NullMarked;
