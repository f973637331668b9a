// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import java.util.Locale;
import java.util.Optional;

/** What breaks while blocks move to their regions' new server: first what breaks by itself, from {@link #TABLE_DROPPED} on what people do. */
public enum Fault {
    NONE("regions are moved manually, and nothing breaks"),
    MASTER_KILLED("the active HMaster is killed -9, a backup takes over"),
    TARGET_DATANODE_KILLED("the DataNode that blocks move to is killed -9, and started again later"),
    SOURCE_DATANODE_KILLED("a DataNode that blocks are copied from is killed -9, and started again later"),
    REGIONSERVER_KILLED("the RegionServer that blocks move to is killed -9, and started again later"),
    NAMENODE_RESTARTED("the NameNode is killed -9 and started again"),
    NAMENODE_FAILED_OVER("the active NameNode is killed -9, the other takes over"),
    DISK_FULL("the disk of the DataNode that blocks move to is full, and has room again later"),
    HDFS_BALANCER("HDFS's own Balancer takes blocks from the host that they move to"),
    PERMISSION_LOST("the permission on a table's folder is taken from HBase's user, and given back"),
    CLOCK_STEPPED("the clock of one host is an hour off, and right again later"),
    HOST_FROZEN("the host that blocks move to stands still for 30 s"),
    RACK_CUT("the rack that blocks move to is cut off, and joined again"),
    SSD_SICK("the SSD on which the DataNode that blocks move to caches reads flips bytes, loses them, or is full"),
    TABLE_DROPPED("a table is disabled and dropped while its blocks move"),
    DATANODE_FULL(
            "files of others fill a DataNode beyond the healer's marks, regions come to it, and the files are deleted later"),
    REGIONS_SPLIT("regions are split while their blocks move"),
    REGIONS_MERGED("regions are merged while their blocks move"),
    FILES_COMPACTED("the store files are compacted away while their blocks move"),
    BAD_RELOAD("every key of Hearth's is given a value that makes no sense, is read again, and is mended later"),
    SWITCHED_OFF("balance_switch false and hearth.heal.enabled false, and both on again later"),
    REPLICATION_CHANGED("a table's files get one replica less while their blocks move, and as many as before later"),
    NAMENODES_ROLLED(
            "both NameNodes are killed and started again one after the other, then the DataNode that blocks move to"),
    COPROCESSORS_CHANGED(
            "AccessController joins Hearth in the HMasters' coprocessors, which are restarted for it, and goes again later");

    private static final String BLOCK_TOKENS = "dfs.block.access.token.enable";

    private final String description;

    Fault(String description) {
        this.description = description;
    }

    /** What happens. */
    public String description() {
        return description;
    }

    /** Whether it is what somebody does to a cluster; else it breaks by itself. */
    public boolean isDoneByAPerson() {
        return compareTo(TABLE_DROPPED) >= 0;
    }

    /** As it is typed: {@code master-killed}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What a cluster of this shape lacks for it, and how to have it; absent if nothing. */
    public Optional<String> lackingIn(ClusterSpec clusterSpec) {
        if (this == MASTER_KILLED && clusterSpec.masters() < 2) {
            return Optional.of("a backup HMaster: bin/hearth cluster start --masters 2");
        }
        if ((this == BAD_RELOAD || this == SWITCHED_OFF || this == COPROCESSORS_CHANGED) && !clusterSpec.hearth()) {
            return Optional.of("Hearth: bin/hearth cluster start without --stock");
        }
        if ((this == NAMENODE_FAILED_OVER || this == NAMENODES_ROLLED) && !clusterSpec.isHighlyAvailable()) {
            return Optional.of("a second NameNode: bin/hearth cluster start --namenodes 2");
        }
        // Without them it rolls NameNodes and leaves out what may go wrong: keys that only they had.
        boolean hasTokens = Boolean.parseBoolean(clusterSpec.settings().get(BLOCK_TOKENS));
        if (this == NAMENODES_ROLLED && (!hasTokens || clusterSpec.hbaseUser())) {
            return Optional.of("block access tokens, and HBase as a superuser of HDFS: bin/hearth cluster start"
                    + " --namenodes 2 --set " + BLOCK_TOKENS + "=true");
        }
        if ((this == DISK_FULL || this == DATANODE_FULL || this == HDFS_BALANCER) && clusterSpec.diskMegabytes() == 0) {
            return Optional.of("disks of the DataNodes' own: bin/hearth cluster start --disk-mb 512");
        }
        if (this == SSD_SICK && clusterSpec.ssdMegabytes() == 0) {
            return Optional.of("SSDs of the DataNodes' own: bin/hearth cluster start --ssd-mb 64");
        }
        if (this == PERMISSION_LOST && !clusterSpec.hbaseUser()) {
            return Optional.of("HBase as a user of its own: bin/hearth cluster start --hbase-user");
        }
        if (this == CLOCK_STEPPED && !clusterSpec.ownClocks()) {
            return Optional.of("clocks that can be set: bin/hearth cluster start --clocks");
        }
        if (this == RACK_CUT && (clusterSpec.networkMode() == NetworkMode.LOOPBACK || clusterSpec.racks() < 2)) {
            return Optional.of("network namespaces (root) and two racks");
        }
        if (!leavesHostsAlone() && clusterSpec.hosts() < 4) {
            return Optional.of("four hosts: bin/hearth cluster start --hosts 4");
        }
        return Optional.empty();
    }

    private boolean leavesHostsAlone() {
        return this == NONE || this == MASTER_KILLED || this == PERMISSION_LOST || this == CLOCK_STEPPED;
    }
}
