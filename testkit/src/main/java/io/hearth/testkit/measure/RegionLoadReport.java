// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

/**
 * What one RegionServer reported about one region in one report.
 *
 * @param reads requests read since the region was opened there; falls to 0 at every move and reopen
 * @param writes requests written since the region was opened there; falls likewise
 * @param storeBytes size of the store files, in the whole megabytes that a report knows
 * @param reportedLocality the RegionServer's own word on locality, 0 to 1; often minutes old
 */
public record RegionLoadReport(long reads, long writes, long storeBytes, double reportedLocality) {}
