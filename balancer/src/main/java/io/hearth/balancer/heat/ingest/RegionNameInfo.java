// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

/**
 * What a region's name says of where the region came from. Immutable.
 *
 * @param startKey the first row of the region, one char for each byte (ISO 8859-1), so that strings are ordered as HBase
 *     orders rows
 * @param regionIdMs HBase's region id: when the region was made, in milliseconds since 1970 by the master's clock; the two
 *     daughters of one split share it
 */
public record RegionNameInfo(String startKey, long regionIdMs) {}
