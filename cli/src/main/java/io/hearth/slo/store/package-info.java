// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** What the probes of the SLO watch found, in files of a folder: counts and latencies by minute and hour, of each server and the cluster. */
@NullMarked
package io.hearth.slo.store;

import org.jspecify.annotations.NullMarked;
