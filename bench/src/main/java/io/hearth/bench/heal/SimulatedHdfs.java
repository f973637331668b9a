// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.bench.heal.TransferNetwork.Link;
import io.hearth.bench.heal.TransferNetwork.Transfer;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.core.HealerServices.LiveDataNodes;
import io.hearth.healer.core.HealerServices.NameNodeProbe;
import io.hearth.healer.core.HealerServices.StoreFiles;
import io.hearth.healer.estimate.HealEstimator;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.move.BlockMover;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import io.hearth.healer.move.MoveExecutor.MoveThreadPool;
import io.hearth.healer.spi.FileBlocks;
import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.throttle.BatchSize;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * HDFS on simulated time, as far as a heal meets it: a NameNode whose calls take time, and DataNodes that make
 * {@code replaceBlock} moves. Not thread-safe.
 *
 * <p>As in Hadoop's {@code DataXceiver}, the target ({@code replaceBlock}) and the proxy ({@code copyBlock}) of a move each take
 * one of {@code dfs.datanode.balance.max.concurrent.moves}, or say that they are busy, and what a DataNode sends and
 * receives for moves shares {@code dfs.datanode.balance.bandwidthPerSec}. The NameNode knows the new replica as soon as it is
 * copied, and lists the old one as well until its DataNode has sent a heartbeat and has deleted it. It follows every hint: the
 * planner allows no other moves, and nothing fails here.
 */
final class SimulatedHdfs implements BlockMover, FileBlocks, StoreFiles, LiveDataNodes, NameNodeProbe {

    /**
     * What machines and network can do, and how long HDFS takes. Immutable.
     *
     * @param balancingBytesPerSecond {@code dfs.datanode.balance.bandwidthPerSec}
     * @param balancingMoves {@code dfs.datanode.balance.max.concurrent.moves}
     * @param nicBytesPerSecond of each DataNode's network card, in and out apart
     * @param diskBytesPerSecond of each DataNode's disks together, reading and writing
     * @param uplinkBytesPerSecond of each rack's uplink, in and out apart
     */
    record Machines(
            long balancingBytesPerSecond,
            int balancingMoves,
            long nicBytesPerSecond,
            long diskBytesPerSecond,
            long uplinkBytesPerSecond) {

        /** HDFS's defaults for DataNodes on 10 Gbit/s with a dozen disks, and an uplink of 100 Gbit/s for each rack. */
        static final Machines USUAL = new Machines(100L << 20, 100, 1_250_000_000, 2_000_000_000, 12_500_000_000L);

        Machines withBalancing(long bytesPerSecond) {
            return new Machines(
                    bytesPerSecond, balancingMoves, nicBytesPerSecond, diskBytesPerSecond, uplinkBytesPerSecond);
        }

        Machines withUplinks(long bytesPerSecond) {
            return new Machines(
                    balancingBytesPerSecond, balancingMoves, nicBytesPerSecond, diskBytesPerSecond, bytesPerSecond);
        }

        /** The same with disks that are so many times slower than what the DataNode allows block moves. */
        private Machines withSlowDisks(int times) {
            return new Machines(
                    balancingBytesPerSecond,
                    balancingMoves,
                    nicBytesPerSecond,
                    Math.min(balancingBytesPerSecond, diskBytesPerSecond) / times,
                    uplinkBytesPerSecond);
        }
    }

    /** From the call to the first byte: two connections and two requests. */
    static final long CONNECT_MICROS = 5_000;

    /** From here and back in one network. */
    static final long NAMENODE_CALL_MICROS = 300;

    /** What a call takes longer for each further path, and for each block there; {@code bench namenode} measures them. */
    static final long PATH_MICROS = 10;

    static final long BLOCK_MICROS = 11;

    private static final long HEARTBEAT_MICROS = 3_000_000;

    /** Until a NameNode has chosen a replica to delete and its DataNode, told in a heartbeat, has done so: 3 to 6 s in all. */
    private static final long DELETION_MICROS = 3_000_000;

    /** How long after its copy a move is usually confirmed, by HDFS's own intervals of 3 s. */
    static final double CONFIRM_SECONDS = HealEstimator.confirmSeconds(3, 3);

    private final SimulatedFiles written;
    private final DataNodes dataNodes;
    private final SimulatedTime time;
    private final TransferNetwork network;
    private final Consumer<BlockMove> copied;
    private final Map<DataNode.Id, Node> nodeById = new HashMap<>();
    private final Map<String, Rack> racks = new HashMap<>();
    /** Where blocks are of which some replica has moved. */
    private final Map<BlockId, List<Replica>> holdersByBlock = new HashMap<>();

    private final NameNodeUsage usage = new NameNodeUsage();
    private final BatchSize foldersAtATime = new BatchSize();
    private final BatchSize filesAtATime = new BatchSize();
    /** Listed together in this turn, and not asked for since. */
    private final Map<EncodedRegionName, List<StoreFile>> prepared = new HashMap<>();

    private long preparedMs = Long.MIN_VALUE;
    private long longestCallMicros = NAMENODE_CALL_MICROS;

    /** A DataNode and what went through it. */
    private static final class Node {

        private final String host;
        private final Machines machine;
        private final Link nicIn;
        private final Link nicOut;
        /** What a DataNode's disks and its throttle both limit: reading and writing for moves. */
        private final Link balancing;

        private int moves;
        private long bytesOut;

        Node(String host, Machines machine) {
            this.host = host;
            this.machine = machine;
            this.nicIn = new Link((double) machine.nicBytesPerSecond());
            this.nicOut = new Link((double) machine.nicBytesPerSecond());
            this.balancing =
                    new Link((double) Math.min(machine.balancingBytesPerSecond(), machine.diskBytesPerSecond()));
        }

        /** No schedule moves these bytes sooner. */
        double leastSeconds(long bytesIn) {
            return Math.max(
                    (bytesIn + bytesOut) / balancing.bytesPerSecond(),
                    Math.max(bytesIn / nicIn.bytesPerSecond(), bytesOut / nicOut.bytesPerSecond()));
        }
    }

    /** A rack's uplink and what went through it. */
    private static final class Rack {

        private final Link in;
        private final Link out;
        private long bytesIn;
        private long bytesOut;

        Rack(double bytesPerSecond) {
            this.in = new Link(bytesPerSecond);
            this.out = new Link(bytesPerSecond);
        }

        double leastSeconds() {
            return Math.max(bytesIn, bytesOut) / in.bytesPerSecond();
        }
    }

    /** One {@code replaceBlock}, which is answered once. */
    private final class Call {

        private final BlockMove move;
        private final DataNode proxy;
        private final Consumer<MoveResult> answer;
        private boolean answered;

        Call(BlockMove move, DataNode proxy, Consumer<MoveResult> answer) {
            this.move = move;
            this.proxy = proxy;
            this.answer = answer;
        }

        void answer(Response response) {
            if (!answered) {
                answered = true;
                answer.accept(MoveResult.of(response));
            }
        }

        void arrive() {
            Node target = node(move.target());
            Node from = node(proxy);
            List<Replica> holders = holders(move);
            if (target.moves >= target.machine.balancingMoves()) {
                answer(Response.BUSY);
            } else if (isAmong(holders, move.target())) {
                answer(Response.ALREADY_THERE);
            } else if (from.moves >= from.machine.balancingMoves()) {
                answer(Response.PROXY_BUSY);
            } else if (!isAmong(holders, proxy)) {
                answer(Response.FAILED);
            } else {
                transfer(target, from);
            }
        }

        private void transfer(Node target, Node from) {
            long bytes = move.lengthBytes();
            target.moves++;
            from.moves++;
            from.bytesOut += bytes;
            List<Link> links = new ArrayList<>(List.of(target.balancing, target.nicIn, from.balancing, from.nicOut));
            if (!move.target().rack().equals(proxy.rack())) {
                Rack into = rack(move.target());
                Rack outOf = rack(proxy);
                into.bytesIn += bytes;
                outOf.bytesOut += bytes;
                links.add(into.in);
                links.add(outOf.out);
            }
            network.start(bytes, links, () -> {
                target.moves--;
                from.moves--;
                received();
                answer(Response.COPIED);
            });
        }

        /** What the target says to the NameNode, and what comes of it. */
        private void received() {
            List<Replica> holders = new ArrayList<>(holders(move));
            holders.add(new Replica(move.target(), move.storageType()));
            holdersByBlock.put(move.block(), holders);
            copied.accept(move);
            long phaseMicros = Math.floorMod(move.source().id().hashCode() * 31_337L, HEARTBEAT_MICROS);
            long sinceMicros = Math.floorMod(time.nowMicros() - phaseMicros, HEARTBEAT_MICROS);
            time.after(
                    HEARTBEAT_MICROS - sinceMicros + DELETION_MICROS,
                    () -> holdersByBlock.computeIfPresent(move.block(), (block, now) -> now.stream()
                            .filter(replica ->
                                    !replica.node().id().equals(move.source().id()))
                            .toList()));
        }
    }

    /** @param copied told of each copy when it is there */
    SimulatedHdfs(SimulatedFiles files, Machines machines, SimulatedTime time, Consumer<BlockMove> copied) {
        this.written = files;
        this.dataNodes = files.dataNodes();
        this.time = time;
        this.network = new TransferNetwork(time);
        this.copied = copied;
        dataNodes.byId().values().forEach(node -> {
            nodeById.put(node.id(), new Node(node.host(), machines));
            racks.computeIfAbsent(node.rack(), rack -> new Rack((double) machines.uplinkBytesPerSecond()));
        });
    }

    /** Has a DataNode allow block moves so many times less, before anything moves. */
    void allowLess(DataNode node, int times) {
        Machines before = node(node).machine;
        nodeById.put(node.id(), new Node(node.host(), before.withBalancing(before.balancingBytesPerSecond() / times)));
    }

    /** Makes a DataNode so many times slower than it says, as with a failing disk, before anything moves. */
    void slowDown(DataNode node, int times) {
        nodeById.put(node.id(), new Node(node.host(), node(node).machine.withSlowDisks(times)));
    }

    /** Makes a rack's uplink so many times slower, before anything moves. */
    void slowDown(String rack, int times) {
        racks.computeIfPresent(rack, (name, before) -> new Rack(before.in.bytesPerSecond() / times));
    }

    @Override
    public void start(
            BlockMove move, DataNode proxy, long listenMs, MoveThreadPool threads, Consumer<MoveResult> answer) {
        Call call = new Call(move, proxy, answer);
        time.after(CONNECT_MICROS, call::arrive);
        time.after(listenMs * 1_000, () -> call.answer(Response.TIMED_OUT));
    }

    @Override
    public MoveResult move(BlockMove move, DataNode proxy, long listenMs) {
        throw new UnsupportedOperationException("Nobody can wait on simulated time: start a move.");
    }

    @Override
    public Optional<String> missingPrivilege() {
        return Optional.empty();
    }

    @Override
    public Observed<RegionFiles> list(ServedRegion region, long nowMs) {
        List<StoreFile> files = preparedMs == nowMs ? prepared.remove(region.region()) : null;
        if (files == null) {
            call(written.foldersPerRegion());
            files = filesNow(region.region());
        }
        return Observed.known(RegionFiles.of(files));
    }

    @Override
    public int prepare(List<ServedRegion> regions, long nowMs) {
        int folders = written.foldersPerRegion();
        int most = Math.max(1, foldersAtATime.paths() / folders);
        List<ServedRegion> next = regions.subList(0, Math.min(most, regions.size()));
        prepared.clear();
        preparedMs = nowMs;
        next.forEach(region -> prepared.put(region.region(), filesNow(region.region())));
        call(next.size() * folders, blocks(prepared.values().stream().flatMap(List::stream)), foldersAtATime);
        return next.size();
    }

    @Override
    public Observed<StoreFile> locate(String path) {
        call(1);
        return Observed.known(now(written.file(path)));
    }

    @Override
    public int filesAtATime() {
        return filesAtATime.paths();
    }

    @Override
    public List<Observed<StoreFile>> locateAll(List<String> paths) {
        List<StoreFile> files =
                paths.stream().map(path -> now(written.file(path))).toList();
        call(paths.size(), blocks(files.stream()), filesAtATime);
        return files.stream().map(Observed::known).toList();
    }

    private static long blocks(Stream<StoreFile> files) {
        return files.mapToLong(file -> file.blocks().size()).sum();
    }

    @Override
    public Observed<DataNodes> list() {
        call(1);
        return Observed.known(dataNodes);
    }

    @Override
    public Observed<Sample> probe() {
        call(1);
        return Observed.known(new Sample(NAMENODE_CALL_MICROS, false, false));
    }

    /** The files of a region where they are now; asks nobody. */
    List<StoreFile> filesNow(EncodedRegionName region) {
        return written.files(region).stream().map(this::now).toList();
    }

    /** Where the replicas of a block are now that was written like this; asks nobody. */
    List<Replica> holdersNow(BlockReplicas written) {
        return holdersByBlock.getOrDefault(written.block(), written.replicas());
    }

    NameNodeUsage usage() {
        return usage;
    }

    /** How long the longest of its calls took. */
    long longestCallMicros() {
        return longestCallMicros;
    }

    /** What a DataNode says that it allows. */
    DataNodeLimits allowance(DataNode node) {
        Machines machine = node(node).machine;
        return new DataNodeLimits(machine.balancingMoves(), machine.balancingBytesPerSecond());
    }

    /** The transfers under way. */
    Collection<Transfer> transfers() {
        return network.open();
    }

    /**
     * The least time for these bytes to come to their hosts, from the proxies that moves were made from so far: no schedule is
     * faster than the DataNode or uplink that has most to do for what it can.
     */
    double leastSeconds(Map<String, Long> bytesByHost) {
        double least = 0;
        for (Node node : nodeById.values()) {
            least = Math.max(least, node.leastSeconds(bytesByHost.getOrDefault(node.host, 0L)));
        }
        for (Rack rack : racks.values()) {
            least = Math.max(least, rack.leastSeconds());
        }
        return least;
    }

    /** The caller waits, and all else goes on. */
    private void call(int times) {
        for (int call = 0; call < times; call++) {
            usage.called(NAMENODE_CALL_MICROS);
        }
        time.advanceTo(time.nowMicros() + times * NAMENODE_CALL_MICROS);
    }

    /** One call for so many paths, as the healer's adapter to HDFS makes and sizes it. */
    private void call(int paths, long blocks, BatchSize size) {
        long micros = NAMENODE_CALL_MICROS + paths * PATH_MICROS + blocks * BLOCK_MICROS;
        usage.called(micros);
        size.answered(paths, micros);
        longestCallMicros = Math.max(longestCallMicros, micros);
        time.advanceTo(time.nowMicros() + micros);
    }

    private StoreFile now(StoreFile written) {
        return written.withBlocks(written.blocks().stream()
                .map(block -> Optional.ofNullable(holdersByBlock.get(block.block()))
                        .map(holders -> new BlockReplicas(block.block(), block.lengthBytes(), holders, false))
                        .orElse(block))
                .toList());
    }

    private List<Replica> holders(BlockMove move) {
        return Optional.ofNullable(holdersByBlock.get(move.block()))
                .orElseGet(() -> written.file(move.filePath()).blocks().stream()
                        .filter(block -> block.block().equals(move.block()))
                        .findFirst()
                        .orElseThrow()
                        .replicas());
    }

    private static boolean isAmong(List<Replica> holders, DataNode node) {
        return holders.stream().anyMatch(replica -> replica.node().id().equals(node.id()));
    }

    private Node node(DataNode node) {
        return Optional.ofNullable(nodeById.get(node.id())).orElseThrow();
    }

    private Rack rack(DataNode node) {
        return Optional.ofNullable(racks.get(node.rack())).orElseThrow();
    }
}
