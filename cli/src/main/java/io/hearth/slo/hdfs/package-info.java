// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** Probes of DataNodes and NameNodes. */
@NullMarked
package io.hearth.slo.hdfs;

import org.jspecify.annotations.NullMarked;
