// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** Where the regions of the canary table belong: one on each RegionServer. */
@NullMarked
package io.hearth.slo.canary;

import org.jspecify.annotations.NullMarked;
