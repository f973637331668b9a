// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** Probes of RegionServers and of HBase's registry, and the canary table that they ask. */
@NullMarked
package io.hearth.slo.hbase;

import org.jspecify.annotations.NullMarked;
