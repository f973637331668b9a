// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** The share of its work that an HDFS cluster with faulty DataNodes can do, as an operator reports it. */
@NullMarked
package io.hearth.slo.availability;

import org.jspecify.annotations.NullMarked;
