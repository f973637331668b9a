/**
 * What healing counts and measures: its counters and gauges, the port to them, and what holds the next move back.
 */
@NullMarked
package io.hearth.healer.metrics;

import org.jspecify.annotations.NullMarked;
