// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** The benchmark of what even load is worth: how many requests the same servers answer in time, with the stock balancer and with Hearth. */
@NullMarked
package io.hearth.bench.value;

import org.jspecify.annotations.NullMarked;
