package io.hearth.chaos;

import io.hearth.procs.layout.Shape;
import io.hearth.procs.layout.Wiring;
import java.util.Locale;
import java.util.Optional;

/** What breaks while blocks move to their regions' new server. */
public enum Fault {
    NONE("regions are moved by hand, and nothing breaks"),
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
    TABLE_DROPPED("a table is disabled and dropped while its blocks move"),
    REGIONS_SPLIT("regions are split while their blocks move"),
    REGIONS_MERGED("regions are merged while their blocks move"),
    FILES_COMPACTED("the store files are compacted away while their blocks move"),
    BAD_RELOAD("every key of Hearth's is given a value that makes no sense, is read again, and is mended later"),
    SWITCHED_OFF("balance_switch false and hearth.heal.enabled false, and both on again later"),
    REPLICATION_CHANGED("a table's files get one replica less while their blocks move, and as many as before later"),
    NAMENODES_ROLLED(
            "both NameNodes are killed and started again one after the other, then the DataNode that blocks move to"),
    COPROCESSORS_CHANGED("AccessController joins Hearth in the HMaster's coprocessors, and is taken out again later");

    private final String words;

    Fault(String words) {
        this.words = words;
    }

    /** What happens. */
    public String words() {
        return words;
    }

    /** As it is typed: {@code master-killed}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What a cluster of this shape lacks for it, and how to have it; absent if nothing. */
    public Optional<String> lackingIn(Shape shape) {
        if (this == MASTER_KILLED && shape.masters() < 2) {
            return Optional.of("a backup HMaster: bin/hearth cluster start --masters 2");
        }
        if ((this == BAD_RELOAD || this == SWITCHED_OFF || this == COPROCESSORS_CHANGED) && !shape.hearth()) {
            return Optional.of("Hearth: bin/hearth cluster start without --stock");
        }
        if ((this == NAMENODE_FAILED_OVER || this == NAMENODES_ROLLED) && !shape.isHighlyAvailable()) {
            return Optional.of("a second NameNode: bin/hearth cluster start --namenodes 2");
        }
        if ((this == DISK_FULL || this == HDFS_BALANCER) && shape.diskMegabytes() == 0) {
            return Optional.of("disks of the DataNodes' own: bin/hearth cluster start --disk-mb 512");
        }
        if (this == PERMISSION_LOST && !shape.hbaseUser()) {
            return Optional.of("HBase as a user of its own: bin/hearth cluster start --hbase-user");
        }
        if (this == CLOCK_STEPPED && !shape.ownClocks()) {
            return Optional.of("clocks that can be set: bin/hearth cluster start --clocks");
        }
        if (this == RACK_CUT && (shape.wiring() == Wiring.LOOPBACK || shape.racks() < 2)) {
            return Optional.of("network namespaces (root) and two racks");
        }
        if (!leavesHostsAlone() && shape.hosts() < 4) {
            return Optional.of("four hosts: bin/hearth cluster start --hosts 4");
        }
        return Optional.empty();
    }

    private boolean leavesHostsAlone() {
        return this == NONE || this == MASTER_KILLED || this == PERMISSION_LOST || this == CLOCK_STEPPED;
    }
}
