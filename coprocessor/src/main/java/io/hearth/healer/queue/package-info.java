/**
 * What may need healing and when: polls of the cluster, the difference between two polls, hints from the master's hooks,
 * and a queue that holds each region once, waits for it to settle and backs off.
 */
@NullMarked
package io.hearth.healer.queue;

import org.jspecify.annotations.NullMarked;
