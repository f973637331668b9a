// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.move.BlockMover;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.move.MoveExecutor;
import io.hearth.healer.move.MoveExecutor.DataNodeLimits;
import io.hearth.healer.move.MoveExecutor.MoveLimits;
import io.hearth.healer.move.TrackedMove;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.plan.BlockMovePlanner;
import io.hearth.healer.plan.MovePlan;
import io.hearth.healer.plan.PlacementRule.RackRule;
import io.hearth.healer.plan.PlanRequest;
import io.hearth.healer.queue.ExponentialBackoff;
import io.hearth.healer.queue.HealQueue;
import io.hearth.healer.queue.HealQueue.AttemptResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A simulated heal: Hearth's queue, planner and executor on simulated time, and DataNodes that receive and send at most so many
 * bytes per second each way, shared by their transfers as fairly as goes: what one can't use the others get. The NameNode's
 * word on a move comes at once. A region of which moves could not start in time is planned again. Used once; not thread-safe.
 */
public final class HealSimulation {

    static final double BYTES_PER_SECOND = 100e6;
    static final int SLOTS = 8;

    private static final int SHARING_ROUNDS = 4;
    private static final long STEP_MS = 200;
    private static final int WAITING_PER_SLOT = 4;
    private static final int REGIONS_PER_STEP = 1_000;
    private static final int EVERYWHERE = 1_000_000;
    private static final long READERS_REFRESH_MS = 10_000;
    private static final long PLANNED_MS = 120_000;
    private static final long BUDGET_BYTES = 16L << 30;
    private static final MoveLimits LIMITS = new MoveLimits(
            EVERYWHERE,
            node -> new DataNodeLimits(SLOTS, 0),
            0,
            0,
            Long.MAX_VALUE / 4,
            1,
            3,
            PLANNED_MS,
            new ExponentialBackoff(1_000, 30_000),
            READERS_REFRESH_MS);

    private static final class Traffic {
        private int receiving;
        private int sending;
        private double bytesIn;
        private double bytesOut;
        private double freeIn;
        private double freeOut;
    }

    private static final class Transfer {
        private final BlockMove move;
        private final Traffic target;
        private final Traffic proxy;
        private final long startedStep;
        private double bytesLeft;
        private double rate;
        private double more;

        private Transfer(BlockMove move, Traffic target, Traffic proxy, long startedStep) {
            this.move = move;
            this.target = target;
            this.proxy = proxy;
            this.startedStep = startedStep;
            bytesLeft = (double) move.lengthBytes();
        }
    }

    private final class SimulatedDataNodes implements BlockMover {

        @Override
        public MoveResult move(BlockMove move, DataNode proxy, long listenMs) {
            start(move, proxy);
            // The simulation says how it ended, as the NameNode does where a DataNode is slow to answer.
            return MoveResult.of(Response.TIMED_OUT);
        }

        @Override
        public Optional<String> missingPrivilege() {
            return Optional.empty();
        }
    }

    private final LargeCluster cluster;
    private final DataNodes nodes;
    private final HealQueue queue = new HealQueue();
    private final BlockMovePlanner planner = new BlockMovePlanner(new RackRule());
    private final MoveExecutor executor = new MoveExecutor(new SimulatedDataNodes(), Runnable::run);
    private final Map<DataNode.Id, Traffic> trafficByNode = new HashMap<>();
    private List<Transfer> transfers = new ArrayList<>();
    private final Set<BlockId> healed = new HashSet<>();
    private final Map<EncodedRegionName, Integer> openMovesByRegion = new HashMap<>();
    private final Set<EncodedRegionName> toBeContinued = new HashSet<>();
    private long step;
    private boolean allPlanned;

    public HealSimulation(LargeCluster cluster) {
        this.cluster = cluster;
        this.nodes = cluster.dataNodes();
    }

    /**
     * What came of it. Immutable.
     *
     * @param leastSeconds what no schedule can go below: the most bytes that one DataNode has to receive, or to send, over its
     *     bandwidth
     */
    public record Result(long moves, double seconds, double leastSeconds) {

        /** The time in multiples of the least. */
        public double timesLeast() {
            return seconds / leastSeconds;
        }
    }

    /** Heals everything. */
    public Result run() {
        queue.observe(
                cluster.assignmentSnapshot(),
                FullClusterPlanning.RULES,
                region -> FullClusterPlanning.heat(cluster.readsPerSecond(region)),
                0);
        while (!allPlanned || !openMovesByRegion.isEmpty() || !toBeContinued.isEmpty()) {
            step++;
            transfer();
            planSome();
            executor.doWork(LIMITS, true, step * STEP_MS);
            executor.takeEnded().forEach(this::ended);
        }
        double most = trafficByNode.values().stream()
                .mapToDouble(traffic -> Math.max(traffic.bytesIn, traffic.bytesOut))
                .max()
                .orElse(0);
        return new Result(healed.size(), step * STEP_MS / 1e3, most / BYTES_PER_SECOND);
    }

    private void planSome() {
        for (int planned = 0; planned < REGIONS_PER_STEP; planned++) {
            Optional<ServedRegion> next = queue.take(step * STEP_MS, this::hasRoom);
            if (next.isEmpty()) {
                allPlanned = executor.count(MoveState.PLANNED) == 0;
                return;
            }
            plan(next.get());
        }
    }

    private void plan(ServedRegion region) {
        MovePlan plan = planner.plan(new PlanRequest(
                region.region(),
                region.server().host(),
                cluster.list(region.region()),
                nodes,
                Map.of(),
                Optional.empty(),
                healed::contains,
                BUDGET_BYTES));
        boolean isOverBudget = plan.skipped(SkipReason.OVER_BUDGET) > 0;
        int taken = executor.submit(plan.moves(), step * STEP_MS).size();
        toBeContinued.remove(region.region());
        if (isOverBudget) {
            toBeContinued.add(region.region());
        }
        if (taken > 0) {
            openMovesByRegion.put(region.region(), taken);
        }
    }

    private void ended(TrackedMove end) {
        EncodedRegionName region = end.move().region();
        if (end.state() == MoveState.VERIFIED) {
            healed.add(end.move().block());
        } else {
            toBeContinued.add(region);
        }
        if (openMovesByRegion.merge(region, -1, Integer::sum) == 0) {
            openMovesByRegion.remove(region);
            if (toBeContinued.contains(region)) {
                queue.ended(
                        queue.latest(region).orElseThrow(),
                        AttemptResult.PROGRESSED,
                        FullClusterPlanning.RULES,
                        step * STEP_MS);
            }
        }
    }

    private boolean hasRoom(ServerId server) {
        return executor.planned(server.host()) < WAITING_PER_SLOT * SLOTS;
    }

    private void start(BlockMove move, DataNode proxy) {
        Traffic target = traffic(move.target());
        Traffic source = traffic(proxy);
        target.receiving++;
        target.bytesIn += move.lengthBytes();
        source.sending++;
        source.bytesOut += move.lengthBytes();
        transfers.add(new Transfer(move, target, source, step));
    }

    private Traffic traffic(DataNode node) {
        return trafficByNode.computeIfAbsent(node.id(), id -> new Traffic());
    }

    /** The executor takes an answer in one step after it was given, so that nothing ends before. */
    private void transfer() {
        share();
        List<Transfer> before = transfers;
        List<Transfer> ended = new ArrayList<>();
        transfers = new ArrayList<>(before.size());
        for (Transfer transfer : before) {
            transfer.bytesLeft -= transfer.rate * STEP_MS / 1e3;
            boolean isOver = transfer.bytesLeft <= 0 && step - transfer.startedStep > 1;
            (isOver ? ended : transfers).add(transfer);
        }
        ended.forEach(this::end);
    }

    /** Each transfer gets what both its ends have to give to each of theirs, again and again of what is left. */
    private void share() {
        for (Transfer transfer : transfers) {
            transfer.rate = 0;
            transfer.target.freeIn = BYTES_PER_SECOND;
            transfer.proxy.freeOut = BYTES_PER_SECOND;
        }
        for (int round = 0; round < SHARING_ROUNDS; round++) {
            for (Transfer transfer : transfers) {
                transfer.more = Math.min(
                        transfer.target.freeIn / transfer.target.receiving,
                        transfer.proxy.freeOut / transfer.proxy.sending);
            }
            for (Transfer transfer : transfers) {
                transfer.rate += transfer.more;
                transfer.target.freeIn -= transfer.more;
                transfer.proxy.freeOut -= transfer.more;
            }
        }
    }

    private void end(Transfer transfer) {
        transfer.target.receiving--;
        transfer.proxy.sending--;
        executor.conclude(transfer.move.block(), MoveState.VERIFIED, "simulated", step * STEP_MS);
    }
}
