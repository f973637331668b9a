// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A DataNode as the NameNode describes it. Immutable; ordered by id.
 *
 * @param host the host name under which it registered
 * @param ipAddress the address under which it registered
 * @param rack its network location, {@value #DEFAULT_RACK} where nobody says otherwise
 * @param upgradeDomain the group of DataNodes that are upgraded together; empty where nobody says
 * @param usedShare used bytes over capacity, 0 to 1; empty where the NameNode has not said
 * @param freeBytes bytes that are left for replicas, on all its volumes; empty where the NameNode has not said
 * @param capacityBytes bytes that all its volumes have for replicas; empty where the NameNode has not said
 * @param volumes its volumes, in the order of the report; none where the NameNode has not said
 */
public record DataNode(
        Id id,
        String host,
        String ipAddress,
        String rack,
        ServiceState state,
        Optional<String> upgradeDomain,
        OptionalDouble usedShare,
        OptionalLong freeBytes,
        OptionalLong capacityBytes,
        List<Volume> volumes)
        implements Comparable<DataNode> {

    /** Where HDFS has a DataNode of which its rack script says nothing. */
    public static final String DEFAULT_RACK = "/default-rack";

    private static final Comparator<DataNode> ORDER = Comparator.comparing(DataNode::id);

    public DataNode {
        host = host.toLowerCase(Locale.ROOT);
        volumes = List.copyOf(volumes);
    }

    /** A DataNode of which neither capacity nor volumes are known. */
    public DataNode(
            Id id,
            String host,
            String ipAddress,
            String rack,
            ServiceState state,
            Optional<String> upgradeDomain,
            OptionalDouble usedShare,
            OptionalLong freeBytes) {
        this(id, host, ipAddress, rack, state, upgradeDomain, usedShare, freeBytes, OptionalLong.empty(), List.of());
    }

    /** A DataNode of which neither upgrade domain nor use and room are known. */
    public DataNode(Id id, String host, String ipAddress, String rack, ServiceState state) {
        this(id, host, ipAddress, rack, state, Optional.empty(), OptionalDouble.empty(), OptionalLong.empty());
    }

    /** The same in another state. */
    public DataNode in(ServiceState other) {
        return new DataNode(
                id, host, ipAddress, rack, other, upgradeDomain, usedShare, freeBytes, capacityBytes, volumes);
    }

    /** Whether it runs on this host, given by name or by address; host names have no case. */
    public boolean isOn(String hostOrAddress) {
        return host.equalsIgnoreCase(hostOrAddress) || ipAddress.equals(hostOrAddress);
    }

    /** Whether it has storage of this kind, as far as anybody knows. */
    public boolean mayHave(StorageType type) {
        return volumes.isEmpty() || volumes.stream().anyMatch(volume -> volume.healthy() && volume.type() == type);
    }

    @Override
    public int compareTo(DataNode other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return host + rack + "(" + id + ")";
    }

    /** The UUID that names a DataNode for the NameNode, across restarts and changes of address. Immutable; ordered by UUID. */
    public record Id(String uuid) implements Comparable<Id> {

        @Override
        public int compareTo(Id other) {
            return uuid.compareTo(other.uuid);
        }

        @Override
        public String toString() {
            return uuid;
        }
    }

    /**
     * A storage directory of a DataNode, usually a disk, as the DataNode last reported it to the NameNode. Immutable.
     *
     * @param id the storage ID, which stays with the directory across restarts
     * @param healthy whether it takes and keeps replicas: false once it has failed or may only be read
     * @param capacityBytes net of what {@code dfs.datanode.du.reserved} keeps for others
     * @param usedBytes bytes of replicas
     * @param remainingBytes bytes that are left for replicas
     */
    public record Volume(
            String id, StorageType type, boolean healthy, long capacityBytes, long usedBytes, long remainingBytes) {}

    /** Whether a DataNode may take and give replicas. */
    public enum ServiceState {
        /** In service and heard of lately. */
        IN_SERVICE,
        /** In service and heard of lately, and slow or out of reach for those who use it, or by its own word. */
        SUSPECT,
        /** In service by its admin state, but its heartbeat is older than the stale interval: probably dead. */
        STALE,
        /** Decommissioning, decommissioned, or in or entering maintenance: its replicas don't count. */
        NOT_IN_SERVICE
    }

    /** The kind of storage that holds a replica, HDFS's {@code StorageType}. */
    public enum StorageType {
        DISK(true),
        SSD(true),
        ARCHIVE(true),
        NVDIMM(true),
        /** Transient: a replica here is a copy on its way to disk. */
        RAM_DISK(false),
        /** Outside of HDFS: there is nothing to move. */
        PROVIDED(false);

        private final boolean movable;

        StorageType(boolean movable) {
            this.movable = movable;
        }

        /** Whether a replica of this type may be given up for one of the same type elsewhere. */
        public boolean movable() {
            return movable;
        }
    }
}
