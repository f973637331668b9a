package io.hearth.balancer.hbase;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

/** Translates HBase's names of servers, tables and regions into Hearth's. */
public final class Names {

    private Names() {}

    public static ServerId server(ServerName server) {
        return new ServerId(server.getHostname(), server.getPort(), server.getStartCode());
    }

    public static TableId table(TableName table) {
        return new TableId(table.getNameAsString());
    }

    public static RegionId region(RegionInfo region) {
        return new RegionId(region.getEncodedName());
    }

    /** The region of a full region name, as servers report it. */
    public static RegionId region(byte[] regionName) {
        return new RegionId(RegionInfo.encodeRegionName(regionName));
    }
}
