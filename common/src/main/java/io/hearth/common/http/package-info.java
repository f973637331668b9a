// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** Adapter to the web UIs of HBase and HDFS: one client within bounds of time and bytes, for balancer, healer and doctor. */
@NullMarked
package io.hearth.common.http;

import org.jspecify.annotations.NullMarked;
