/** Deletions of replicas that wait until no reader needs them: what waits, for how long, and what makes it end early. */
@NullMarked
package io.hearth.datanode.grace;

import org.jspecify.annotations.NullMarked;
