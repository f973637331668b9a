// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;

/** A move that Hearth has planned and that a person is about to make. Immutable. */
public record RegionMove(EncodedRegionName region, TableId table, ServerId from, ServerId to) {}
