// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.fakes;

import io.hearth.balancer.locality.BlocksMovedListener;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.core.HealerServices;
import io.hearth.healer.core.HealerServices.DataNodeProber;
import io.hearth.healer.core.HealerServices.LiveDataNodes;
import io.hearth.healer.core.HealerServices.NameNodeProbe;
import io.hearth.healer.core.HealerServices.StoreFiles;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.RegionFiles.FilePart;
import io.hearth.healer.model.RegionFiles.FileRead;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.move.BlockMover;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.plan.PlacementRule.RackRule;
import io.hearth.healer.spi.Assignments;
import io.hearth.healer.spi.FileBlocks;
import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An HDFS in memory: a move adds the new replica at once, and {@link #deleteExcess} deletes the source's, as the NameNode does
 * some seconds later.
 */
public final class FakeHdfs
        implements StoreFiles, FileBlocks, LiveDataNodes, BlockMover, NameNodeProbe, DataNodeProber {

    private static final long CALL_MICROS = 200;
    private static final long FORGOTTEN_MS = 604_800_000;

    public final Map<EncodedRegionName, List<String>> pathsByRegion = new TreeMap<>();
    public final Map<String, StoreFile> fileByPath = new TreeMap<>();
    public final List<DataNode> nodes = new ArrayList<>();
    /** What the DataNodes answer to the next moves instead of making them. */
    public final Deque<MoveResult> responses = new ArrayDeque<>();

    public final List<BlockMove> moved = new ArrayList<>();
    /** The hosts whose DataNodes do not answer when they are asked whether they serve. */
    public final Set<String> silent = new TreeSet<>();

    public final List<String> probed = new ArrayList<>();
    private final List<DataNode> probes = new ArrayList<>();
    public boolean nameNodeFails;
    public Optional<String> answeringNameNode = Optional.empty();
    /** Whether who asks is a superuser, who gets the report of DataNodes; others learn them from the locations of blocks. */
    public boolean givesReport = true;

    public long nowMs;
    public boolean deletesTheNewReplica;
    /** After a failover: nothing is deleted until every DataNode has reported its blocks. */
    public boolean keepsExcess;

    /** What becomes of the answer to a listing. */
    public BiFunction<ServedRegion, Observed<RegionFiles>, Observed<RegionFiles>> listing = (region, files) -> files;

    public Optional<String> missingPrivilege = Optional.empty();
    /** Whatever passes while the NameNode is asked once. */
    public Runnable whileAsked = () -> {};

    /** What a loop needs, all of it from here but the regions that are served and the mover. */
    public HealerServices services(Assignments assignments, BlockMover mover, BlocksMovedListener told) {
        return new HealerServices(
                assignments,
                this,
                this,
                usage,
                this,
                new RackRule(),
                mover,
                told,
                this,
                touched -> List.of(),
                HealLimits::unlimited,
                this,
                (region, family) -> Optional.empty(),
                8,
                Clock.systemUTC());
    }

    public NameNodeProbe.Sample sample = new NameNodeProbe.Sample(500, false, false);
    public final NameNodeUsage usage = new NameNodeUsage();
    /** The folders and files that one call is for. */
    public int atATime = 1;

    public int beats;
    public int listings;
    public int questions;
    public int lists;
    private final List<BlockMove> excess = new ArrayList<>();
    /** Listed together, and not asked for since. */
    private final Map<EncodedRegionName, Observed<RegionFiles>> prepared = new TreeMap<>();

    private long preparedMs = Long.MIN_VALUE;
    private final Map<DataNode.Id, Long> mentionedMs = new TreeMap<>();
    /** Each DataNode as it was when a block of it was mentioned last. */
    private final Map<DataNode.Id, DataNode> mentioned = new TreeMap<>();

    public void addFile(EncodedRegionName region, StoreFile file) {
        pathsByRegion.computeIfAbsent(region, id -> new ArrayList<>()).add(file.path());
        fileByPath.put(file.path(), file);
    }

    @Override
    public Observed<RegionFiles> list(ServedRegion region, long nowMs) {
        listings++;
        Observed<RegionFiles> files = preparedMs == nowMs ? prepared.remove(region.region()) : null;
        if (files == null) {
            call();
            files = files(region);
        }
        return listing.apply(region, files);
    }

    @Override
    public int prepare(List<ServedRegion> regions, long nowMs) {
        List<ServedRegion> next = regions.subList(0, Math.min(regions.size(), atATime));
        call();
        prepared.clear();
        preparedMs = nowMs;
        next.forEach(region -> prepared.put(region.region(), files(region)));
        return next.size();
    }

    private void call() {
        usage.called(CALL_MICROS);
        whileAsked.run();
    }

    @Override
    public int filesAtATime() {
        return atATime;
    }

    @Override
    public Optional<String> answeringNameNode() {
        return answeringNameNode;
    }

    @Override
    public List<Observed<StoreFile>> locateAll(List<String> paths) {
        List<Observed<StoreFile>> answers = paths.stream().map(this::file).toList();
        questions++;
        call();
        return answers;
    }

    private Observed<RegionFiles> files(ServedRegion region) {
        if (nameNodeFails) {
            return Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused");
        }
        if (!pathsByRegion.containsKey(region.region())) {
            return Observed.gone();
        }
        return Observed.known(new RegionFiles(
                pathsByRegion.get(region.region()).stream()
                        .flatMap(path -> Optional.ofNullable(fileByPath.get(path)).stream())
                        .map(file -> read(region.region(), file))
                        .toList(),
                Map.of(),
                false));
    }

    /** The first region that was given the file has it in its folder; the others have references to it. */
    private FileRead read(EncodedRegionName region, StoreFile file) {
        SortedMap<EncodedRegionName, FilePart> others = new TreeMap<>();
        pathsByRegion.forEach((other, paths) -> {
            if (!other.equals(region) && paths.contains(file.path())) {
                others.put(other, FilePart.WHOLE);
            }
        });
        mention(file);
        boolean own = others.isEmpty() || region.compareTo(others.firstKey()) < 0;
        return new FileRead(file, FilePart.WHOLE, own, own ? Collections.emptySortedMap() : others);
    }

    @Override
    public Observed<StoreFile> locate(String path) {
        questions++;
        call();
        return file(path);
    }

    private Observed<StoreFile> file(String path) {
        if (nameNodeFails) {
            return Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused");
        }
        StoreFile file = fileByPath.get(path);
        if (file != null) {
            mention(file);
        }
        return file == null ? Observed.gone() : Observed.known(file);
    }

    @Override
    public Observed<DataNodes> list() {
        lists++;
        whileAsked.run();
        if (nameNodeFails) {
            return Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused");
        }
        return Observed.known(
                givesReport
                        ? DataNodes.of(nodes)
                        : DataNodes.met(nodes.stream()
                                .map(node -> mentioned.getOrDefault(node.id(), node))
                                .collect(Collectors.toMap(
                                        Function.identity(),
                                        node -> nowMs - mentionedMs.getOrDefault(node.id(), -FORGOTTEN_MS)))));
    }

    private void mention(StoreFile file) {
        file.blocks().stream()
                .flatMap(block -> block.replicas().stream())
                .map(replica -> replica.node().id())
                .forEach(id -> {
                    mentionedMs.put(id, nowMs);
                    nodes.stream().filter(node -> node.id().equals(id)).forEach(node -> mentioned.put(id, node));
                });
    }

    @Override
    public void renew(DataNode node) {
        questions++;
        call();
        fileByPath.values().stream()
                .filter(file -> file.blocks().stream()
                        .flatMap(block -> block.replicas().stream())
                        .anyMatch(replica -> replica.node().id().equals(node.id())))
                .findFirst()
                .ifPresent(this::mention);
    }

    @Override
    public Observed<NameNodeProbe.Sample> probe() {
        beats++;
        whileAsked.run();
        whileAsked.run();
        return nameNodeFails
                ? Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused")
                : Observed.known(sample);
    }

    /** They answer at the next turn. */
    @Override
    public List<Answer> takeAnswers(Collection<DataNode> asked) {
        List<Answer> answers = probes.stream()
                .map(node -> new Answer(node, !silent.contains(node.host()), 0))
                .toList();
        probes.clear();
        probes.addAll(asked);
        asked.forEach(node -> probed.add(node.host()));
        return answers;
    }

    @Override
    public MoveResult move(BlockMove move, DataNode proxy, long listenMs) {
        if (!responses.isEmpty()) {
            return responses.poll();
        }
        copy(move);
        return MoveResult.of(MoveResult.Response.COPIED);
    }

    @Override
    public Optional<String> missingPrivilege() {
        return missingPrivilege;
    }

    /** The target gets its replica. */
    public void copy(BlockMove move) {
        moved.add(move);
        excess.add(move);
        edit(move, replicas -> replicas.add(new Replica(move.target(), move.storageType())));
    }

    /** The NameNode deletes one replica for each copy that made one too many: the source's, where it still has one. */
    public void deleteExcess() {
        if (keepsExcess) {
            return;
        }
        excess.forEach(move -> edit(move, replicas -> {
            Optional<Replica> doomed = doomed(move, replicas);
            doomed.ifPresent(replicas::remove);
        }));
        excess.clear();
    }

    private Optional<Replica> doomed(BlockMove move, List<Replica> replicas) {
        if (replicas.size() <= move.replication()) {
            return Optional.empty();
        }
        DataNode.Id hinted = (deletesTheNewReplica ? move.target() : move.source()).id();
        return replicas.stream()
                .filter(replica -> replica.node().id().equals(hinted))
                .findFirst()
                .or(() -> replicas.stream()
                        .filter(replica -> !replica.node().equals(move.target()))
                        .filter(replica -> keepsRacks(replicas, replica))
                        .findFirst());
    }

    private static boolean keepsRacks(List<Replica> replicas, Replica without) {
        return replicas.stream()
                        .filter(replica -> !replica.equals(without))
                        .map(replica -> replica.node().rack())
                        .distinct()
                        .count()
                >= 2;
    }

    private void edit(BlockMove move, Consumer<List<Replica>> change) {
        fileByPath.computeIfPresent(move.filePath(), (path, file) -> {
            List<BlockReplicas> blocks = file.blocks().stream()
                    .map(block -> block.block().equals(move.block()) ? edited(block, change) : block)
                    .toList();
            return file.withBlocks(blocks);
        });
    }

    private static BlockReplicas edited(BlockReplicas block, Consumer<List<Replica>> change) {
        List<Replica> replicas = new ArrayList<>(block.replicas());
        change.accept(replicas);
        return new BlockReplicas(block.block(), block.lengthBytes(), replicas, block.corrupt());
    }
}
