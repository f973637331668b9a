// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** Requests that are sent to a cluster at fixed times to learn what share of requests it serves, and how fast. */
@NullMarked
package io.hearth.slo.probe;

import org.jspecify.annotations.NullMarked;
