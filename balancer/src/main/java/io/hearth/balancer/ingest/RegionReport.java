package io.hearth.balancer.ingest;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.TableId;

/**
 * What a RegionServer says of one of its regions. Immutable.
 *
 * @param readRequests read requests served since the region was opened there
 * @param writeRequests mutations served since the region was opened there
 * @param storeBytes size of the store files, in bytes (HBase reports whole megabytes)
 */
public record RegionReport(RegionId region, TableId table, long readRequests, long writeRequests, long storeBytes) {}
