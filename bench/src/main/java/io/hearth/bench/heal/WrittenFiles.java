// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.TableId;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.model.StoreFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Store files that are written one by one, a file for each region, with replicas where HDFS's default policy puts them: on the
 * writer's host, and on two hosts of one other rack where there is one. Not thread-safe.
 */
final class WrittenFiles implements SimulatedFiles {

    private static final int MOST_REPLICAS = 3;
    private static final long BLOCK_BYTES = 128L << 20;

    private final Map<String, DataNode> nodeByHost = new TreeMap<>();
    private final Map<EncodedRegionName, StoreFile> fileByRegion = new HashMap<>();
    private final Map<String, StoreFile> fileByPath = new HashMap<>();
    private final Map<EncodedRegionName, TableId> tableByRegion = new HashMap<>();
    private final Random random;
    private long blocks;

    WrittenFiles(Map<String, String> rackByHost, long seed) {
        this.random = new Random(seed);
        new TreeMap<>(rackByHost)
                .forEach((host, rack) -> nodeByHost.put(
                        host,
                        new DataNode(
                                new DataNode.Id("uuid-" + host),
                                host,
                                host,
                                rack.isEmpty() ? "/default-rack" : rack,
                                ServiceState.IN_SERVICE)));
    }

    void write(EncodedRegionName region, TableId table, long bytes, String host) {
        List<BlockReplicas> written = new ArrayList<>();
        for (long left = bytes; left > 0; left -= BLOCK_BYTES) {
            written.add(new BlockReplicas(
                    new BlockId("pool", blocks++, 1_001), Math.min(left, BLOCK_BYTES), replicas(host), false));
        }
        put(region, table, written);
    }

    void split(EncodedRegionName parent, EncodedRegionName first, EncodedRegionName second) {
        List<BlockReplicas> all = files(parent).get(0).blocks();
        put(first, table(parent), all.subList(0, all.size() / 2));
        put(second, table(parent), all.subList(all.size() / 2, all.size()));
    }

    TableId table(EncodedRegionName region) {
        return Optional.ofNullable(tableByRegion.get(region)).orElseThrow();
    }

    @Override
    public List<StoreFile> files(EncodedRegionName region) {
        return List.of(Optional.ofNullable(fileByRegion.get(region)).orElseThrow());
    }

    @Override
    public StoreFile file(String path) {
        return Optional.ofNullable(fileByPath.get(path)).orElseThrow();
    }

    @Override
    public DataNodes dataNodes() {
        return DataNodes.of(nodeByHost.values());
    }

    @Override
    public int foldersPerRegion() {
        return 1;
    }

    private void put(EncodedRegionName region, TableId table, List<BlockReplicas> written) {
        StoreFile file = new StoreFile(
                "/hbase/data/default/" + table + "/" + region + "/f/0", replication(), false, true, written);
        fileByRegion.put(region, file);
        fileByPath.put(file.path(), file);
        tableByRegion.put(region, table);
    }

    private int replication() {
        return Math.min(MOST_REPLICAS, nodeByHost.size());
    }

    private List<Replica> replicas(String host) {
        List<DataNode> holders = new ArrayList<>();
        holders.add(Optional.ofNullable(nodeByHost.get(host)).orElseThrow());
        String rack = holders.get(0).rack();
        while (holders.size() < replication()) {
            DataNode last = holders.get(holders.size() - 1);
            holders.add(any(
                    holders,
                    node -> holders.size() == 1
                            ? !node.rack().equals(rack)
                            : node.rack().equals(last.rack())));
        }
        return holders.stream().map(node -> new Replica(node, StorageType.DISK)).toList();
    }

    /** One of these by chance that has no replica yet, or any other where there is none. */
    private DataNode any(List<DataNode> holders, Predicate<DataNode> which) {
        List<DataNode> others = nodeByHost.values().stream()
                .filter(node -> !holders.contains(node))
                .toList();
        List<DataNode> wanted = others.stream().filter(which).toList();
        List<DataNode> among = wanted.isEmpty() ? others : wanted;
        return among.get(random.nextInt(among.size()));
    }
}
