// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** The SLO watch as Prometheus reads it: its metrics, and the rules for recording and alerting. */
@NullMarked
package io.hearth.slo.metrics;

import org.jspecify.annotations.NullMarked;
