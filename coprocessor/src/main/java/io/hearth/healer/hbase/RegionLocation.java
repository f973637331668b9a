// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Where a region is. Immutable.
 *
 * @param openOn the server that has it open; empty where it is in transition, splitting, offline or not known to be anywhere
 */
public record RegionLocation(RegionInfo region, Optional<ServerName> openOn) {}
