// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** A month of the SLO watch for people: availability by day, a heat map of the servers, the worst minutes and what else happened then. */
@NullMarked
package io.hearth.slo.report;

import org.jspecify.annotations.NullMarked;
