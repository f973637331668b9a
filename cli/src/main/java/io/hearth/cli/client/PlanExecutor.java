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
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
    private static final int MOVES_A_REQUEST = 1_000;

    private final ClusterClient client;
    private final Set<SavedMove> inProgress = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    public PlanExecutor(ClusterClient client) {
        this.client = client;
    }

    /** How one move ended: why it failed, or nothing. Immutable. */
    public record MoveResult(SavedMove move, Optional<String> failure) {}

    /** Why the plan may not be carried out now; empty where it may. */
    public Optional<String> refusal(PlanFiles.ParsedPlan parsed) throws IOException {
        return parsed.plan()
                .refusal(
                        parsed.hash(),
                        PlanClient.clusterId(client.admin()),
                        PlanClient.regionsByServer(
                                client.admin(), SavedPlan.servers(parsed.plan().moves())),
                        System.currentTimeMillis());
    }

    /** Makes every move, or those that have begun when it is stopped, and tells of each that has ended. */
    public void execute(SavedPlan plan, Consumer<MoveResult> ended) throws IOException {
        announce(plan);
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            ExecutorCompletionService<Optional<MoveResult>> moves = new ExecutorCompletionService<>(threads);
            plan.moves().forEach(move -> moves.submit(() -> moveIfRunning(move)));
            for (int left = plan.moves().size(); left > 0; left--) {
                Future<Optional<MoveResult>> next = moves.take();
                next.get().ifPresent(moved -> {
                    ended.accept(moved);
                    inProgress.remove(moved.move());
                });
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("it was interrupted", stopped);
        } catch (java.util.concurrent.ExecutionException cannotBe) {
            throw new IOException(cannotBe.getCause());
        } finally {
            threads.shutdownNow();
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

    private void announce(SavedPlan plan) throws IOException {
        for (List<SavedMove> some : Lists.partition(plan.moves(), MOVES_A_REQUEST)) {
            JsonArray moves = new JsonArray();
            some.forEach(move -> moves.add(PlanFiles.json(move)));
            JsonObject json = new JsonObject();
            json.add("moves", moves);
            // Where Hearth is not in the master, or does not plan there, nobody has to know.
            client.ask(AdminCall.ANNOUNCE_MOVES, json);
        }
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
        try (Admin admin = client.connection().getAdmin()) {
            admin.move(Bytes.toBytes(move.region()), ServerName.valueOf(move.to()));
            return new MoveResult(move, Optional.empty());
        } catch (IOException | RuntimeException failure) {
            return new MoveResult(
                    move,
                    Optional.of(String.valueOf(failure.getMessage())
                            .lines()
                            .findFirst()
                            .orElse("")));
        }
    }
}
