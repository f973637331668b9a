package io.hearth.healing.hbase;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

/** HBase's names as Hearth's, and back. */
final class HBaseIds {

    private HBaseIds() {}

    static RegionId regionId(RegionInfo region) {
        return new RegionId(region.getEncodedName());
    }

    static TableId tableId(TableName table) {
        return new TableId(table.getNameAsString());
    }

    static TableName tableName(TableId table) {
        return TableName.valueOf(table.name());
    }

    static ServerId serverId(ServerName server) {
        return new ServerId(server.getHostname(), server.getPort(), server.getStartCode());
    }
}
