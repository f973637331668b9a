// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Every key of HBase and Hadoop that the doctor reads, with its default of HBase 2.6.4 and Hadoop 3.4.3. The default is in the line's default files, or,
 * for a key that they leave out, in the class that reads it; DefaultFilesTest holds both. An empty default is one that the
 * code works out from others.
 */
public enum HadoopKey {
    REFRESH_MS("dfs.client.refresh.read-block-locations.ms", "0"),
    DERIVE_LOCALITY("hbase.locality.inputstream.derive.enabled", "false"),
    RETRY_WINDOW_MS("dfs.client.retry.window.base", "3000"),
    PREFETCH_BYTES("dfs.client.read.prefetch.size", ""),
    BLOCK_BYTES("dfs.blocksize", "134217728"),
    SHORT_CIRCUIT("dfs.client.read.shortcircuit", "false"),
    DOMAIN_SOCKET("dfs.domain.socket.path", ""),
    SHORT_CIRCUIT_CACHES("dfs.client.short.circuit.num", "1"),
    DOMAIN_SOCKET_DISABLE_S("dfs.domain.socket.disable.interval.seconds", "600"),
    STREAMS_CACHE("dfs.client.read.shortcircuit.streams.cache.size", "256"),
    PEER_CACHE("dfs.client.socketcache.capacity", "16"),
    PEER_CACHE_MS("dfs.client.socketcache.expiryMsec", "3000"),
    KEEPALIVE_MS("dfs.datanode.socket.reuse.keepalive", "4000"),
    READ_TIMEOUT_MS("dfs.client.socket-timeout", "60000"),
    WRITE_TIMEOUT_MS("dfs.datanode.socket.write.timeout", "480000"),
    LISTEN_BACKLOG("ipc.server.listen.queue.size", "256"),
    DEAD_NODE_DETECTION("dfs.client.deadnode.detection.enabled", "false"),
    HEDGED_THREADS("dfs.client.hedged.read.threadpool.size", "0"),
    HEDGED_MS("dfs.client.hedged.read.threshold.millis", "500"),
    BALANCE_BANDWIDTH("dfs.datanode.balance.bandwidthPerSec", "100m"),
    BALANCE_MOVES("dfs.datanode.balance.max.concurrent.moves", "100"),
    DATASET_FACTORY("dfs.datanode.fsdataset.factory", ""),
    BLOCK_TOKENS("dfs.block.access.token.enable", "false"),
    ENCRYPT_TRANSFER("dfs.encrypt.data.transfer", "false"),
    CIPHER_SUITES("dfs.encrypt.data.transfer.cipher.suites", ""),
    BLOCK_PINNING("dfs.datanode.block-pinning.enabled", "false"),
    TOPOLOGY_SCRIPT("net.topology.script.file.name", ""),
    TOPOLOGY_MAPPING("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.ScriptBasedMapping"),
    RACK_DETERMINER("hbase.util.ip.to.rack.determiner", "", "org.apache.hadoop.hbase.master.RackManager"),
    FLUSH_BYTES("hbase.hregion.memstore.flush.size", "134217728"),
    MEMSTORE_FRACTION("hbase.regionserver.global.memstore.size", ""),
    OLD_MEMSTORE_FRACTION(
            "hbase.regionserver.global.memstore.upperLimit", "", "org.apache.hadoop.hbase.io.util.MemorySizeUtil"),
    MEMSTORE_LOWER_MARK("hbase.regionserver.global.memstore.size.lower.limit", ""),
    OLD_MEMSTORE_LOWER_LIMIT(
            "hbase.regionserver.global.memstore.lowerLimit", "", "org.apache.hadoop.hbase.io.util.MemorySizeUtil"),
    OFF_HEAP_MEMSTORE_MB("hbase.regionserver.offheap.global.memstore.size", "0"),
    MSLAB("hbase.hregion.memstore.mslab.enabled", "true"),
    MSLAB_CHUNK_BYTES("hbase.hregion.memstore.mslab.chunksize", "2097152"),
    BLOCKING_WAIT_MS("hbase.hstore.blockingWaitTime", "90000"),
    BLOCK_MULTIPLIER("hbase.hregion.memstore.block.multiplier", "4"),
    BLOCK_CACHE("hfile.block.cache.size", "0.4"),
    BLOCKING_STORE_FILES("hbase.hstore.blockingStoreFiles", "16"),
    CHECKSUM_VERIFY("hbase.regionserver.checksum.verify", "true"),
    SKIP_CHECKSUM("dfs.client.read.shortcircuit.skip.checksum", "false"),
    REPLICATION("dfs.replication", "3"),
    TRANSFER_THREADS("dfs.datanode.max.transfer.threads", "4096"),
    PEER_STATS("dfs.datanode.peer.stats.enabled", "false"),
    MIN_COMPARED_NODES("dfs.datanode.min.outlier.detection.nodes", "10"),
    DISK_SAMPLING_PERCENT("dfs.datanode.fileio.profiling.sampling.percentage", "0"),
    REPLICA_REPLICATION("hbase.region.replica.replication.enabled", "false"),
    META_REPLICA_REPLICATION(
            "hbase.region.replica.replication.catalog.enabled",
            "false",
            "org.apache.hadoop.hbase.util.ServerRegionReplicaUtil"),
    STORE_FILE_REFRESH_MS("hbase.regionserver.storefile.refresh.period", "0"),
    META_STORE_FILE_REFRESH_MS(
            "hbase.regionserver.meta.storefile.refresh.period",
            "0",
            "org.apache.hadoop.hbase.regionserver.StorefileRefresherChore"),
    META_REPLICAS("hbase.meta.replica.count", "1", "org.apache.hadoop.hbase.HConstants"),
    HFILE_TTL_MS(
            "hbase.master.hfilecleaner.ttl", "300000", "org.apache.hadoop.hbase.master.cleaner.TimeToLiveHFileCleaner"),
    PRIMARY_GET_US(
            "hbase.client.primaryCallTimeout.get", "10000", "org.apache.hadoop.hbase.client.ConnectionConfiguration"),
    PRIMARY_MULTIGET_US(
            "hbase.client.primaryCallTimeout.multiget", "10000", "org.apache.hadoop.hbase.client.AsyncProcess"),
    REPLICA_SCAN_US(
            "hbase.client.replicaCallTimeout.scan",
            "1000000",
            "org.apache.hadoop.hbase.client.ConnectionConfiguration"),
    MASTER_COPROCESSORS("hbase.coprocessor.master.classes", ""),
    REGION_BYTES("hbase.hregion.max.filesize", "10737418240"),
    SLOP("hbase.regions.slop", "0.2"),
    ROOT_DIR("hbase.rootdir", "${hbase.tmp.dir}/hbase"),
    DEFAULT_FILE_SYSTEM("fs.defaultFS", "file:///"),
    BALANCER("hbase.master.loadbalancer.class", "org.apache.hadoop.hbase.master.balancer.StochasticLoadBalancer"),
    GROUP_BALANCER(
            "hbase.rsgroup.grouploadbalancer.class",
            "org.apache.hadoop.hbase.master.balancer.StochasticLoadBalancer",
            "org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer"),
    MIN_COST("hbase.master.balancer.stochastic.minCostNeedBalance", "0.025", Names.STOCK + "StochasticLoadBalancer"),
    COUNT_COST("hbase.master.balancer.stochastic.regionCountCost", "500", Names.STOCK + "RegionCountSkewCostFunction"),
    MOVE_COST("hbase.master.balancer.stochastic.moveCost", "7", Names.STOCK + "MoveCostFunction"),
    LOCALITY_COST("hbase.master.balancer.stochastic.localityCost", "25", Names.STOCK + "ServerLocalityCostFunction"),
    RACK_COST("hbase.master.balancer.stochastic.rackLocalityCost", "15", Names.STOCK + "RackLocalityCostFunction"),
    TABLE_COST("hbase.master.balancer.stochastic.tableSkewCost", "35", Names.STOCK + "TableSkewCostFunction"),
    READ_COST("hbase.master.balancer.stochastic.readRequestCost", "5", Names.STOCK + "ReadRequestCostFunction"),
    WRITE_COST("hbase.master.balancer.stochastic.writeRequestCost", "5", Names.STOCK + "WriteRequestCostFunction"),
    MEMSTORE_COST("hbase.master.balancer.stochastic.memstoreSizeCost", "5", Names.STOCK + "MemStoreSizeCostFunction"),
    STORE_FILE_COST("hbase.master.balancer.stochastic.storefileSizeCost", "5", Names.STOCK + "StoreFileCostFunction"),
    ADDITIONAL_COSTS(
            "hbase.master.balancer.stochastic.additionalCostFunctions", "", Names.STOCK + "StochasticLoadBalancer");

    private static final class Names {
        static final String STOCK = "org.apache.hadoop.hbase.master.balancer.";
    }

    private static final Map<String, HadoopKey> BY_NAME = new HashMap<>();

    static {
        for (HadoopKey key : values()) {
            BY_NAME.put(key.key, key);
        }
    }

    private final String key;
    private final String defaultValue;
    private final Optional<String> readBy;

    HadoopKey(String key, String defaultValue) {
        this(key, defaultValue, Optional.empty());
    }

    HadoopKey(String key, String defaultValue, String readBy) {
        this(key, defaultValue, Optional.of(readBy));
    }

    HadoopKey(String key, String defaultValue, Optional<String> readBy) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.readBy = readBy;
    }

    /** As it is written in a file. */
    public String key() {
        return key;
    }

    public String defaultValue() {
        return defaultValue;
    }

    /** What HBase or HDFS reads the value as, told by its default; where that is empty, by what the key is about. */
    public boolean takes(String value) {
        String like = this == PREFETCH_BYTES
                ? "1"
                : this == MEMSTORE_FRACTION ? "0.4" : this == MEMSTORE_LOWER_MARK ? "0.95" : defaultValue;
        if (like.equals("true") || like.equals("false")) {
            return value.equals("true") || value.equals("false");
        }
        if (like.matches("\\d+[kmgtpe]")) {
            return value.matches("\\d+[kmgtpe]?");
        }
        if (like.matches("\\d+")) {
            return value.matches("\\d{1,18}");
        }
        return like.matches("\\d+\\.\\d+") ? value.matches("\\d{1,18}(\\.\\d{1,18})?") : !value.isEmpty();
    }

    /** The class that reads it, of a key that no default file has. */
    public Optional<String> readBy() {
        return readBy;
    }

    public static Optional<HadoopKey> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }
}
