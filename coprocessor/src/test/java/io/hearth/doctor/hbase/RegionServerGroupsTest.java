// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class RegionServerGroupsTest {

    /** What HBase 2.6.4's RSGroupProtos writes of the group fast: servers host1:16020 and host2:16020, tables ns:orders and users. */
    private static final byte[] FAST = HexFormat.of()
            .parseHex("0a04666173741a0c0a026e7312066f72646572731a100a0764656661756c7412057573657273220a"
                    + "0a05686f73743110947d220a0a05686f73743210947d");

    /** The same of {@code default}, with host3:16020 and the table {@code events}. */
    private static final byte[] DEFAULT =
            HexFormat.of().parseHex("0a0764656661756c741a110a0764656661756c7412066576656e7473220a0a05686f73743310947d");

    private static final List<ServerName> LIVE = List.of(
            ServerName.valueOf("host1", 16020, 1),
            ServerName.valueOf("host3", 16020, 1),
            ServerName.valueOf("host4", 16020, 1),
            ServerName.valueOf("host5", 16020, 1));

    private static TableDescriptor table(String name, Optional<String> group) {
        TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
        group.ifPresent(known -> table.setValue("hbase.rsgroup.name", known));
        return table.build();
    }

    @Test
    void aTableMayBeOnTheLiveServersOfItsGroup() throws IOException {
        RegionServerGroups groups = RegionServerGroups.of(List.of(FAST, DEFAULT));

        assertThat(groups.serversFor(table("ns:orders", Optional.empty()), LIVE))
                .as("host2 is not live")
                .isEqualTo(1);
        assertThat(groups.serversFor(table("users", Optional.empty()), LIVE)).isEqualTo(1);
        assertThat(groups.serversFor(table("events", Optional.empty()), LIVE))
                .as("whoever is in no other group")
                .isEqualTo(3);
        assertThat(groups.serversFor(table("another", Optional.empty()), LIVE)).isEqualTo(3);
    }

    @Test
    void aGroupThatTheDescriptorNamesGoesFirst() throws IOException {
        RegionServerGroups groups = RegionServerGroups.of(List.of(FAST, DEFAULT));

        assertThat(groups.serversFor(table("events", Optional.of("fast")), LIVE))
                .isEqualTo(1);
        assertThat(groups.serversFor(table("users", Optional.of("default")), LIVE))
                .isEqualTo(3);
    }

    @Test
    void withoutGroupsAllServersCount() throws IOException {
        assertThat(RegionServerGroups.of(List.of()).serversFor(table("events", Optional.empty()), LIVE))
                .isEqualTo(4);
    }

    @Test
    void whatIsNoGroupIsAnError() {
        assertThatThrownBy(() -> RegionServerGroups.of(List.of(new byte[0])))
                .isInstanceOf(IOException.class)
                .hasMessage("hbase:rsgroup has a row that is no group");
        assertThatThrownBy(() -> RegionServerGroups.of(List.of(new byte[] {1, 2})))
                .isInstanceOf(IOException.class);
    }
}
