/**
 * What came of the last heals, for people: a bounded list that the status page and JMX show.
 */
@NullMarked
package io.hearth.healer.history;

import org.jspecify.annotations.NullMarked;
