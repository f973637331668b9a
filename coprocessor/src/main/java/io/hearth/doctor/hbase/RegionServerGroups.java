// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.net.Address;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * The RSGroups of a cluster: on which RegionServers the regions of a table may be. Without RSGroups that is all of them. They are read from
 * HBase's own table of them, since no call that a client of HBase 2 has tells them without a module of its own. Immutable.
 *
 * @param serversByGroup of each group but the default one, to which all other servers belong
 * @param groupByTable of tables that their group lists, as in HBase 2; in HBase 3 a table's descriptor may name its group
 */
record RegionServerGroups(Map<String, Set<Address>> serversByGroup, Map<TableName, String> groupByTable) {

    private static final TableName TABLE = TableName.valueOf("hbase", "rsgroup");
    private static final byte[] FAMILY = Bytes.toBytes("m");
    private static final byte[] QUALIFIER = Bytes.toBytes("i");
    private static final String DEFAULT = "default";

    // The numbers of the fields of RSGroupInfo, ServerName and TableName in HBase's files RSGroup, HBase and
    // Table.proto.
    private static final int GROUP_NAME = 1;
    private static final int GROUP_TABLES = 3;
    private static final int GROUP_SERVERS = 4;
    private static final int SERVER_HOST = 1;
    private static final int SERVER_PORT = 2;
    private static final int TABLE_NAMESPACE = 1;
    private static final int TABLE_QUALIFIER = 2;

    /** @throws IOException if the table is there and can't be read */
    static RegionServerGroups read(Connection connection, Admin admin) throws IOException {
        List<byte[]> groups = new ArrayList<>();
        if (admin.tableExists(TABLE)) {
            try (Table table = connection.getTable(TABLE);
                    ResultScanner rows = table.getScanner(new Scan().addColumn(FAMILY, QUALIFIER))) {
                for (Result row : rows) {
                    groups.add(row.getValue(FAMILY, QUALIFIER));
                }
            }
        }
        return of(groups);
    }

    /**
     * Of these messages.
     *
     * @throws IOException if one is none of a group
     */
    static RegionServerGroups of(List<byte[]> groups) throws IOException {
        Map<String, Set<Address>> serversByGroup = new HashMap<>();
        Map<TableName, String> groupByTable = new HashMap<>();
        try {
            for (byte[] bytes : groups) {
                UnknownFieldSet group = UnknownFieldSet.parseFrom(bytes);
                String name = text(group, GROUP_NAME);
                if (!name.equals(DEFAULT)) {
                    Set<Address> servers = new HashSet<>();
                    for (UnknownFieldSet server : messages(group, GROUP_SERVERS)) {
                        servers.add(Address.fromParts(text(server, SERVER_HOST), number(server, SERVER_PORT)));
                    }
                    serversByGroup.put(name, Set.copyOf(servers));
                    for (UnknownFieldSet table : messages(group, GROUP_TABLES)) {
                        groupByTable.put(
                                TableName.valueOf(text(table, TABLE_NAMESPACE), text(table, TABLE_QUALIFIER)), name);
                    }
                }
            }
        } catch (IndexOutOfBoundsException | IllegalArgumentException missing) {
            throw new IOException(TABLE + " has a row that is no group", missing);
        }
        return new RegionServerGroups(Map.copyOf(serversByGroup), Map.copyOf(groupByTable));
    }

    private static String text(UnknownFieldSet message, int field) {
        return message.getField(field).getLengthDelimitedList().get(0).toStringUtf8();
    }

    private static int number(UnknownFieldSet message, int field) {
        return Math.toIntExact(message.getField(field).getVarintList().get(0));
    }

    private static List<UnknownFieldSet> messages(UnknownFieldSet message, int field) throws IOException {
        List<UnknownFieldSet> messages = new ArrayList<>();
        for (ByteString bytes : message.getField(field).getLengthDelimitedList()) {
            messages.add(UnknownFieldSet.parseFrom(bytes));
        }
        return messages;
    }

    /** How many of these live RegionServers may have regions of the table. */
    int serversFor(TableDescriptor table, Collection<ServerName> live) {
        String group =
                table.getRegionServerGroup().orElseGet(() -> groupByTable.getOrDefault(table.getTableName(), DEFAULT));
        Set<Address> own = serversByGroup.get(group);
        return (int) live.stream()
                .map(ServerName::getAddress)
                .filter(server -> own == null
                        ? serversByGroup.values().stream().noneMatch(others -> others.contains(server))
                        : own.contains(server))
                .count();
    }
}
