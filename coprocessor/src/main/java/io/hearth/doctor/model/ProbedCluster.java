// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

import io.hearth.doctor.model.DataNodeMetrics.ListenDrops;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedMaster;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedRegionServer;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedNameNode;
import io.hearth.doctor.model.ProcessConfig.Role;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A cluster as far as it could be read at one time. Immutable.
 *
 * @param user as whom it was asked
 * @param fallbackConfig the configuration of whoever asks, which stands in for that of a process that does not show its own
 * @param fallbackName whose that is, for a person: {@code the client's configuration}
 * @param regionServers sorted by host
 * @param dataNodes sorted by host
 */
public record ProbedCluster(
        String user,
        ProcessConfig fallbackConfig,
        String fallbackName,
        ProbedMaster master,
        List<ProbedRegionServer> regionServers,
        ProbeResult<List<ProbedNameNode>> nameNodes,
        ProbeResult<List<ProbedDataNode>> dataNodes,
        ProbedHdfs hdfs,
        ProbedHBase hbase) {

    /** The fallback's name where it is the file with which an HMaster starts. */
    public static final String MASTERS_FILE = "the HMaster's hbase-site.xml";

    public ProbedCluster {
        regionServers = List.copyOf(regionServers);
    }

    /** Whether an HMaster starts with the fallback: whoever asks is an HMaster, or is on the host of one. */
    public boolean isFallbackOfMaster() {
        return fallbackName.equals(MASTERS_FILE);
    }

    /** One process and its configuration. */
    public record Daemon(Role role, String host, ProbeResult<ProcessConfig> settings) {

        /** For a person. */
        public String name() {
            return role.word() + " " + host;
        }

        /** Its own, of one that is {@link ProbedCluster#shown}. */
        public ProcessConfig own() {
            return settings.ifKnown().orElseThrow();
        }
    }

    /** All processes that are known to be there. */
    public Stream<Daemon> daemons() {
        return Stream.of(
                        Stream.of(new Daemon(Role.HMASTER, master.host(), master.settings())),
                        regionServers.stream()
                                .map(server -> new Daemon(Role.REGIONSERVER, server.host(), server.settings())),
                        nameNodes.ifKnown().stream()
                                .flatMap(List::stream)
                                .map(node -> new Daemon(Role.NAMENODE, node.host(), node.settings())),
                        dataNodes.ifKnown().stream()
                                .flatMap(List::stream)
                                .map(node -> new Daemon(Role.DATANODE, node.host(), node.settings())))
                .flatMap(stream -> stream);
    }

    /** The processes of one role. */
    public Stream<Daemon> daemons(Role role) {
        return daemons().filter(daemon -> daemon.role() == role);
    }

    /** The processes of one role that show their configuration: only these can be compared, as what stands in for others' is nobody's. */
    public Stream<Daemon> shown(Role role) {
        return daemons(role).filter(daemon -> daemon.settings().ifKnown().isPresent());
    }

    /** That nothing can be compared: there are processes of this role, and none shows its configuration. */
    public Optional<String> whyNoneShown(Role role) {
        return daemons(role).findAny().isPresent() && shown(role).findAny().isEmpty()
                ? Optional.of("no " + role.word() + " shows its configuration")
                : Optional.empty();
    }

    /** The read caches of the DataNodes that have one, sorted by host. */
    public List<NodeReadCache> readCaches() {
        return dataNodes.ifKnown().stream()
                .flatMap(List::stream)
                .flatMap(
                        node -> node.readCache().ifKnown().map(cache -> new NodeReadCache(node.host(), cache)).stream())
                .toList();
    }

    /** A DataNode and its read cache. Immutable. */
    public record NodeReadCache(String host, ProbedReadCache cache) {}

    /** What a process is configured with, or what stands in for it. */
    public ProcessConfig settingsOf(ProbeResult<ProcessConfig> settings) {
        return settings.ifKnown().orElse(fallbackConfig);
    }

    /**
     * What somebody was asked for: the value, or why it could not be had, in a few words for a person. Immutable.
     *
     * @param <T> what was asked for
     */
    public sealed interface ProbeResult<T> {

        /** It was said. */
        record Known<T>(T value) implements ProbeResult<T> {}

        /** It could not be had. */
        record Unknown<T>(String why) implements ProbeResult<T> {}

        static <T> ProbeResult<T> known(T value) {
            return new Known<>(value);
        }

        static <T> ProbeResult<T> unknown(String why) {
            return new Unknown<>(why);
        }

        /** The value if it is known. */
        default Optional<T> ifKnown() {
            return this instanceof Known<T> known ? Optional.of(known.value()) : Optional.empty();
        }

        /** Why it is not known; empty if it is. */
        default Optional<String> whyUnknown() {
            return this instanceof Unknown<T> unknown ? Optional.of(unknown.why()) : Optional.empty();
        }
    }

    /**
     * What HBase knows of itself as a whole. Immutable.
     *
     * @param backupMasters those that wait to become active
     * @param deadServers as {@code host:port}, RegionServers that the HMaster counts as dead, and in whose place none serves
     * @param balancerOn what {@code balance_switch} was last told
     * @param replicatedTables tables whose regions have replicas
     * @param hotRegions those with more requests than a server's fair share, the hottest first
     * @param metaReplicas of hbase:meta that servers report, the primary among them
     * @param flappingServers as {@code host:port}, RegionServers that were restarted three times within an hour; unknown where Hearth does
     *     not balance
     */
    public record ProbedHBase(
            List<ProbedMaster> backupMasters,
            List<String> deadServers,
            ProbeResult<Boolean> balancerOn,
            ProbeResult<List<ReplicatedTable>> replicatedTables,
            ProbeResult<List<HotRegion>> hotRegions,
            int metaReplicas,
            ProbeResult<List<String>> flappingServers) {

        public ProbedHBase {
            backupMasters = List.copyOf(backupMasters);
            deadServers = deadServers.stream().sorted().toList();
        }

        /** Where hbase:meta has no replicas and no server flaps. */
        public ProbedHBase(
                List<ProbedMaster> backupMasters,
                List<String> deadServers,
                ProbeResult<Boolean> balancerOn,
                ProbeResult<List<ReplicatedTable>> replicatedTables,
                ProbeResult<List<HotRegion>> hotRegions) {
            this(backupMasters, deadServers, balancerOn, replicatedTables, hotRegions, 1, ProbeResult.known(List.of()));
        }

        /**
         * A table whose regions have replicas.
         *
         * @param replicas of each region, the primary among them
         * @param servers live RegionServers that may have its regions: those of its RSGroup, or all
         */
        public record ReplicatedTable(String table, int replicas, ProbeResult<Integer> servers) {}

        /**
         * A region that no balancer can make room for.
         *
         * @param share of the requests that a server should have: 1 is fair
         */
        public record HotRegion(String region, String table, String host, double requestsPerSecond, double share) {}

        /**
         * An HMaster. Immutable.
         *
         * @param java the version of its Java, as {@code 17}
         * @param loadedCoprocessors the classes that it has loaded, each by the last part of its name, which is all that HBase tells
         */
        public record ProbedMaster(
                String host,
                String version,
                ProbeResult<String> java,
                ProbeResult<ProcessConfig> settings,
                ProbeResult<List<String>> loadedCoprocessors) {

            /** A backup HMaster, which loads coprocessors only when it becomes active. */
            public ProbedMaster(
                    String host, String version, ProbeResult<String> java, ProbeResult<ProcessConfig> settings) {
                this(host, version, java, settings, ProbeResult.unknown("it is not active"));
            }
        }

        /**
         * A RegionServer that serves. Immutable.
         *
         * @param rack as the HMaster has it
         * @param heapBytes the most that its heap can grow to
         * @param stores of all its regions: regions times families
         * @param mostStoreFilesOfAStore of the region with the most files for each of its stores, rounded up
         * @param counters what it has counted since it started
         * @param recentLocalReads what it read from its own host while the doctor watched
         * @param clockSkewMs how far its clock is ahead of the HMaster's, to a second; below 0 behind
         */
        public record ProbedRegionServer(
                String host,
                ProbeResult<String> version,
                ProbeResult<String> rack,
                ProbeResult<ProcessConfig> settings,
                long heapBytes,
                int regions,
                int stores,
                int storeFiles,
                int mostStoreFilesOfAStore,
                long memstoreBytes,
                ProbeResult<ServerCounters> counters,
                ProbeResult<LocalReads> recentLocalReads,
                ProbeResult<Long> clockSkewMs) {}

        /**
         * What a RegionServer counts about itself, from its {@code /jmx} page; since it started where nothing else is said. Immutable.
         *
         * @param localBytesRead read from replicas on the same host
         * @param shortCircuitBytesRead those of them that were read without the DataNode
         * @param meanFlushBytes the mean of the last flushes, by HBase's histogram; 0 where there was none
         * @param compactionQueue compactions that wait just now
         * @param hedgedReads second requests that a hedged read has sent
         * @param hedgedWins those of them that were faster than the first
         */
        public record ServerCounters(
                long localBytesRead,
                long shortCircuitBytesRead,
                long flushes,
                long meanFlushBytes,
                long compactionQueue,
                long hedgedReads,
                long hedgedWins) {}

        /**
         * What a RegionServer read from the replicas of its own host while the doctor watched. Immutable.
         *
         * @param shortCircuitBytes those of the bytes that were read without the DataNode
         */
        public record LocalReads(long bytes, long shortCircuitBytes, long overMs) {}
    }

    /**
     * What HDFS says to the user as whom the doctor asks. Immutable.
     *
     * @param superuser whether that user may do what only an HDFS superuser may
     * @param directories the folders of HBase that have a policy of their own
     * @param hdfsBalancers those of the HDFS Balancer and Mover that run just now
     * @param bandwidthRaised whether a heal has raised what DataNodes allow block moves, and will put it back
     */
    public record ProbedHdfs(
            ProbeResult<Boolean> superuser,
            ProbeResult<List<ProbedDirectory>> directories,
            ProbeResult<List<String>> hdfsBalancers,
            ProbeResult<Boolean> bandwidthRaised) {

        /** Where no heal has raised anything. */
        public ProbedHdfs(
                ProbeResult<Boolean> superuser,
                ProbeResult<List<ProbedDirectory>> directories,
                ProbeResult<List<String>> hdfsBalancers) {
            this(superuser, directories, hdfsBalancers, ProbeResult.known(false));
        }

        /**
         * A NameNode of the name service that HBase's files are in. Immutable.
         *
         * @param reports what it reports of slow and dead DataNodes
         */
        public record ProbedNameNode(
                String host,
                ProbeResult<String> version,
                ProbeResult<ProcessConfig> settings,
                ProbeResult<NodeReports> reports) {}

        /**
         * A folder of HBase with a policy of its own, or with files of one replica. Immutable.
         *
         * @param erasureCoding the name of its erasure coding policy; empty for plain replication
         * @param storagePolicy the name of its storage policy; empty for the default
         * @param singleReplicaFiles how many were found; 0 where all have more, or it was not counted
         */
        public record ProbedDirectory(
                String path, String erasureCoding, String storagePolicy, int singleReplicaFiles) {}

        /**
         * A DataNode that the NameNode counts as live. Immutable.
         *
         * @param host the name that it gives itself to the NameNode
         * @param rack as the NameNode has it
         * @param balanceBytesPerSecond the bytes per second that block moves may take of it now
         * @param balanceMoves the limit of block moves at a time that is in force there, of
         *     {@code dfs.datanode.balance.max.concurrent.moves}
         * @param somaxconn the most connections that its kernel lets wait for a listening socket; known on this host alone
         * @param readCache what it says of its read cache; unknown where it has none
         * @param metrics what it says of how it fares
         * @param listenDrops the connections that its kernel has dropped; known on this host alone
         */
        public record ProbedDataNode(
                String host,
                String rack,
                ProbeResult<String> version,
                ProbeResult<ProcessConfig> settings,
                ProbeResult<Long> balanceBytesPerSecond,
                ProbeResult<Long> balanceMoves,
                ProbeResult<Integer> somaxconn,
                ProbeResult<ProbedReadCache> readCache,
                ProbeResult<DataNodeMetrics> metrics,
                ProbeResult<ListenDrops> listenDrops) {

            /** The same with the connections that were dropped until now. */
            public ProbedDataNode with(ProbeResult<ListenDrops> drops) {
                return new ProbedDataNode(
                        host,
                        rack,
                        version,
                        settings,
                        balanceBytesPerSecond,
                        balanceMoves,
                        somaxconn,
                        readCache,
                        metrics,
                        drops);
            }
        }
    }
}
