// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** What happened in a cluster, beside what its probes found. */
@NullMarked
package io.hearth.slo.event;

import org.jspecify.annotations.NullMarked;
