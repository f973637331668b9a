/**
 * What healing counts and says: counters, gauges and a log that repeats itself at most once a minute.
 */
@NullMarked
package io.hearth.healer.metrics;

import org.jspecify.annotations.NullMarked;
