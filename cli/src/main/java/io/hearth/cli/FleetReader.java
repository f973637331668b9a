// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.fleet.model.ClustersFile.Cluster;
import io.hearth.fleet.model.FleetRow;
import io.hearth.fleet.model.FleetRow.BudgetLeft;
import io.hearth.fleet.model.FleetRow.DoctorSummary;
import io.hearth.fleet.model.FleetSource;
import io.hearth.fleet.model.FleetSource.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks all clusters of a fleet at once, each question on a daemon thread of its own: one that is slow holds up no other, and whoever has not
 * answered by the deadline has not answered. Whoever does not heed the interruption then is left behind. Stateless; may be used once at a
 * time.
 */
final class FleetReader {

    /** Leaves two of ten seconds for reading the configurations before and for writing the page after. */
    static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(8);

    private final FleetSource source;
    private final Duration deadline;
    private final boolean examines;

    /**
     * A reader that has not begun.
     *
     * @param deadline for all answers, from when the clusters are asked
     * @param examines whether a doctor examines each cluster, and not only what the one in its master found last is told
     */
    FleetReader(FleetSource source, Duration deadline, boolean examines) {
        this.source = source;
        this.deadline = deadline;
        this.examines = examines;
    }

    /** A row for each of these clusters, in this order. */
    List<FleetRow> read(List<Cluster> clusters) {
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "hearth-fleet");
            thread.setDaemon(true);
            return thread;
        });
        try {
            long endNanos = System.nanoTime() + deadline.toNanos();
            List<Questions> asked = new ArrayList<>();
            clusters.forEach(cluster -> asked.add(new Questions(cluster, threads)));
            List<FleetRow> rows = new ArrayList<>();
            asked.forEach(questions -> rows.add(questions.row(endNanos)));
            return rows;
        } finally {
            threads.shutdownNow();
        }
    }

    /** What one cluster was asked. */
    private final class Questions {

        private final Cluster cluster;
        private final Future<Status> status;
        private final Future<ProbeResult<DoctorSummary>> examination;
        private final Future<ProbeResult<List<BudgetLeft>>> budgets;

        Questions(Cluster cluster, ExecutorService threads) {
            this.cluster = cluster;
            status = threads.submit(() -> source.status(cluster));
            examination = threads.submit(known(() -> source.examine(cluster), examines));
            budgets = threads.submit(
                    known(() -> source.budgets(cluster), cluster.budgets().isPresent()));
        }

        /** Nothing is asked, and nothing is said of why, where that is not wanted. */
        private static <T> Callable<ProbeResult<T>> known(Callable<T> question, boolean isAsked) {
            return () -> isAsked ? ProbeResult.known(question.call()) : ProbeResult.unknown("");
        }

        FleetRow row(long endNanos) {
            ProbeResult<Status> answer = await(status, endNanos);
            ProbeResult<DoctorSummary> ofMaster =
                    answer.ifKnown().map(Status::doctor).orElseGet(() -> ProbeResult.unknown(""));
            return new FleetRow(
                    cluster.name(),
                    answer.ifKnown()
                            .map(known -> ProbeResult.known(known.health()))
                            .orElseGet(() ->
                                    ProbeResult.unknown(answer.whyUnknown().orElse(""))),
                    examines ? flat(await(examination, endNanos)) : ofMaster,
                    flat(await(budgets, endNanos)));
        }

        private static <T> ProbeResult<T> flat(ProbeResult<ProbeResult<T>> answer) {
            return answer.ifKnown()
                    .orElseGet(() -> ProbeResult.unknown(answer.whyUnknown().orElse("")));
        }

        private <T> ProbeResult<T> await(Future<T> answer, long endNanos) {
            try {
                return ProbeResult.known(answer.get(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS));
            } catch (TimeoutException late) {
                answer.cancel(true);
                return ProbeResult.unknown("nothing within " + deadline.toSeconds() + " s");
            } catch (ExecutionException failed) {
                return ProbeResult.unknown(why(failed));
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                return ProbeResult.unknown("it was interrupted");
            }
        }
    }

    private static String why(ExecutionException failed) {
        return failed.getCause() instanceof Exception problem ? Main.problem(problem) : failed.toString();
    }
}
