// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** What the SLO watch costs: its daemon probes a thousand RegionServers that answer at once. */
@NullMarked
package io.hearth.bench.slo;

import org.jspecify.annotations.NullMarked;
