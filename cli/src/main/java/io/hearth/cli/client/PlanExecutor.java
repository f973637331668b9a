// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.admin.rpc.AdminCall;
import io.hearth.cli.plan.SavedPlan;
import io.hearth.cli.plan.SavedPlan.SavedMove;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.collect.Lists;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * Carries a kept plan out by the master's own {@code move}, with HBase's access control and hooks, a few at a time. Hearth in the
 * master is told before, so that these moves count as its own and pin nothing.
 */
public final class PlanExecutor {

    private static final int AT_ONCE = 4;

    /**
     * So many moves are announced and made before the next are announced. The HMaster takes an announced move that has not begun within
     * {@code hearth.balancer.move.confirm.timeout.ms}, 6 minutes by default, for one that will not be made: what is made later is a
     * manual move.
     */
    static final int MOVES_A_REQUEST = 100;

    private final Master master;
    private final Set<SavedMove> inProgress = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    /** What the HMaster is told. */
    interface Master {

        /** These moves are of a plan, and are about to be made. */
        void announce(List<SavedMove> moves) throws IOException;

        /** Returns when the region has moved. Any thread may call it. */
        void move(SavedMove move) throws IOException;
    }

    public PlanExecutor(ClusterClient client) {
        this(new MasterOf(client));
    }

    PlanExecutor(Master master) {
        this.master = master;
    }

    /** How one move ended: why it failed, or nothing. Immutable. */
    public record MoveResult(SavedMove move, Optional<String> failure) {}

    /** Makes every move, or those that have begun when it is stopped, and tells of each that has ended. */
    public void execute(SavedPlan plan, Consumer<MoveResult> ended) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            for (List<SavedMove> some : Lists.partition(plan.moves(), MOVES_A_REQUEST)) {
                if (!stopped) {
                    announceAndMake(some, threads, ended);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("it was interrupted", stopped);
        } catch (ExecutionException cannotBe) {
            throw new IOException(cannotBe.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** Where they can't be announced, as while the HMaster fails over, they are not made: they would be manual moves. */
    private void announceAndMake(List<SavedMove> some, ExecutorService threads, Consumer<MoveResult> ended)
            throws InterruptedException, ExecutionException {
        try {
            master.announce(some);
        } catch (IOException failure) {
            some.forEach(move -> ended.accept(failed(move, failure)));
            return;
        }
        make(some, new ExecutorCompletionService<>(threads), ended);
    }

    private void make(
            List<SavedMove> some, ExecutorCompletionService<Optional<MoveResult>> threads, Consumer<MoveResult> ended)
            throws InterruptedException, ExecutionException {
        some.forEach(move -> threads.submit(() -> moveIfRunning(move)));
        for (int left = some.size(); left > 0; left--) {
            threads.take().get().ifPresent(moved -> {
                ended.accept(moved);
                inProgress.remove(moved.move());
            });
        }
    }

    /** No further move begins. Any thread may say so. */
    public void stop() {
        stopped = true;
    }

    /** What has begun and was not told to have ended: the master ends it by itself. */
    public List<SavedMove> inProgress() {
        return List.copyOf(inProgress);
    }

    /** How it ended; empty where it did not begin. */
    private Optional<MoveResult> moveIfRunning(SavedMove move) {
        inProgress.add(move);
        if (stopped) {
            inProgress.remove(move);
            return Optional.empty();
        }
        return Optional.of(move(move));
    }

    private MoveResult move(SavedMove move) {
        try {
            master.move(move);
            return new MoveResult(move, Optional.empty());
        } catch (IOException | RuntimeException failure) {
            return failed(move, failure);
        }
    }

    private static MoveResult failed(SavedMove move, Exception failure) {
        return new MoveResult(
                move,
                Optional.of(
                        String.valueOf(failure.getMessage()).lines().findFirst().orElse("")));
    }

    private record MasterOf(ClusterClient client) implements Master {

        @Override
        public void announce(List<SavedMove> some) throws IOException {
            JsonArray moves = new JsonArray();
            some.forEach(move -> moves.add(PlanFiles.json(move)));
            JsonObject json = new JsonObject();
            json.add("moves", moves);
            // Where Hearth is not in the master, or does not plan there, nobody has to know.
            client.ask(AdminCall.ANNOUNCE_MOVES, json);
        }

        @Override
        public void move(SavedMove move) throws IOException {
            try (Admin admin = client.connection().getAdmin()) {
                admin.move(Bytes.toBytes(move.region()), ServerName.valueOf(move.to()));
            }
        }
    }
}
