// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.metrics;

import io.hearth.slo.objective.BurnAlert;
import io.hearth.slo.objective.Objective;
import io.hearth.slo.objective.ObjectiveStatus;
import io.hearth.slo.objective.ObjectiveStatus.State;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import io.hearth.slo.probe.TimelineRead;
import io.hearth.slo.probe.TimelineRead.Answer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the SLO watch tells Prometheus, counted since its process began: due and answered probes of each server, due and good probes of each
 * objective, latencies of the whole cluster by kind. 1,000 servers have about 8,000 series: latencies of single servers are not among them.
 *
 * <p>In a histogram of Prometheus a probe that was not answered is in the last class alone, {@code +Inf}: a quantile is one of all due
 * probes. Its sum is that of answered probes. Thread-safe.
 */
public final class SloMetrics {

    /** Upper bounds of the classes of latencies, in microseconds. */
    private static final long[] BOUNDS_MICROS = {
        1_000,
        2_500,
        5_000,
        10_000,
        25_000,
        50_000,
        100_000,
        250_000,
        500_000,
        1_000_000,
        2_500_000,
        5_000_000,
        10_000_000
    };

    private static final double MICROS_OF_A_SECOND = 1e6;
    private static final String BUDGET_LEFT_RATIO = "hearth_slo_objective_budget_left_ratio";

    private static final Pattern BUDGET_LEFT = Pattern.compile(BUDGET_LEFT_RATIO
            + "\\{objective=\"([a-z0-9-]{1,40})\"\\} (-?[0-9]{1,20}(?:[.][0-9]{1,20})?(?:E-?[0-9]{1,3})?)");

    private final List<Objective> objectives;
    private final long[] dueByObjective;
    private final long[] goodByObjective;
    private final Map<ProbeKind, Map<String, Counter>> counterByTarget = new EnumMap<>(ProbeKind.class);
    private final Map<ProbeKind, Latencies> latenciesByKind = new EnumMap<>(ProbeKind.class);

    private final Map<Integer, TimelineCounter> timelineByTimeoutMs = new TreeMap<>();

    private static final class Counter {
        private long due;
        private long answered;
    }

    private static final class TimelineCounter {
        private long reads;
        private long stale;
        private long unanswered;
    }

    private static final class Latencies {
        private final long[] countByBound = new long[BOUNDS_MICROS.length];
        private long due;
        private double answeredSeconds;
    }

    /** Makes one that has counted nothing. */
    public SloMetrics(List<Objective> objectives) {
        this.objectives = List.copyOf(objectives);
        dueByObjective = new long[objectives.size()];
        goodByObjective = new long[objectives.size()];
    }

    /** Counts this probe. */
    public synchronized void accept(ProbeResult result) {
        boolean isAnswered = result.outcome() == Outcome.ANSWERED;
        Counter counter = counterByTarget
                .computeIfAbsent(result.kind(), kind -> new TreeMap<>())
                .computeIfAbsent(result.target(), target -> new Counter());
        counter.due++;
        Latencies latencies = latenciesByKind.computeIfAbsent(result.kind(), kind -> new Latencies());
        latencies.due++;
        if (isAnswered) {
            counter.answered++;
            latencies.answeredSeconds += result.latencyMicros() / MICROS_OF_A_SECOND;
            for (int bound = BOUNDS_MICROS.length - 1;
                    bound >= 0 && result.latencyMicros() <= BOUNDS_MICROS[bound];
                    bound--) {
                latencies.countByBound[bound]++;
            }
        }
        for (int place = 0; place < objectives.size(); place++) {
            if (objectives.get(place).concerns(result)) {
                dueByObjective[place]++;
                goodByObjective[place] += objectives.get(place).isGood(result) ? 1 : 0;
            }
        }
    }

    /** Counts this timeline-consistent read. */
    public synchronized void accept(TimelineRead read) {
        TimelineCounter counter =
                timelineByTimeoutMs.computeIfAbsent(read.timeoutMs(), timeout -> new TimelineCounter());
        counter.reads++;
        counter.stale += read.answer() == Answer.STALE ? 1 : 0;
        counter.unanswered += read.answer() == Answer.NONE ? 1 : 0;
    }

    /** Everything as Prometheus reads it, with how the objectives stand. */
    public synchronized String text(List<ObjectiveStatus> status) {
        PrometheusText text = new PrometheusText();
        servers(text);
        latencies(text);
        timeline(text);
        objectives(text);
        status(text, status);
        return text.toString();
    }

    /**
     * What is left of each error budget by a text that {@link #text} has made, as a share of it by objective; an objective without a probe is
     * missing.
     */
    public static Map<String, Double> budgetLeftShares(String text) {
        Map<String, Double> shares = new TreeMap<>();
        text.lines().map(BUDGET_LEFT::matcher).filter(Matcher::matches).forEach(sample -> {
            double share = Double.parseDouble(sample.group(2));
            shares.put(sample.group(1), share);
        });
        return shares;
    }

    private void servers(PrometheusText text) {
        text.family("hearth_slo_probes_due_total", "counter", "Probes that were due, by kind and server.");
        counterByTarget.forEach((kind, byTarget) -> byTarget.forEach((target, counter) ->
                text.sample("hearth_slo_probes_due_total", counter.due, "kind", kind.toString(), "server", target)));
        text.family("hearth_slo_probes_answered_total", "counter", "Probes that were answered, however late.");
        counterByTarget.forEach((kind, byTarget) -> byTarget.forEach((target, counter) -> text.sample(
                "hearth_slo_probes_answered_total", counter.answered, "kind", kind.toString(), "server", target)));
    }

    private void latencies(PrometheusText text) {
        text.family(
                "hearth_slo_latency_seconds",
                "histogram",
                "Time from when a probe was due to its answer; +Inf has those without an answer too.");
        latenciesByKind.forEach((kind, latencies) -> {
            for (int bound = 0; bound < BOUNDS_MICROS.length; bound++) {
                text.sample(
                        "hearth_slo_latency_seconds_bucket",
                        latencies.countByBound[bound],
                        "kind",
                        kind.toString(),
                        "le",
                        PrometheusText.number(BOUNDS_MICROS[bound] / MICROS_OF_A_SECOND));
            }
            text.sample("hearth_slo_latency_seconds_bucket", latencies.due, "kind", kind.toString(), "le", "+Inf");
            text.sample("hearth_slo_latency_seconds_sum", latencies.answeredSeconds, "kind", kind.toString());
            text.sample("hearth_slo_latency_seconds_count", latencies.due, "kind", kind.toString());
        });
    }

    private void timeline(PrometheusText text) {
        timeline(
                text,
                "hearth_slo_timeline_reads_total",
                "Timeline-consistent reads that were due, by primary-call timeout.",
                counter -> counter.reads);
        timeline(
                text,
                "hearth_slo_timeline_stale_total",
                "Those of them that a replica answered.",
                counter -> counter.stale);
        timeline(
                text,
                "hearth_slo_timeline_unanswered_total",
                "Those of them that neither the primary nor a replica answered.",
                counter -> counter.unanswered);
    }

    private void timeline(PrometheusText text, String name, String help, ToLongFunction<TimelineCounter> count) {
        text.family(name, "counter", help);
        timelineByTimeoutMs.forEach(
                (timeoutMs, counter) -> text.sample(name, count.applyAsLong(counter), "timeout", timeoutMs + "ms"));
    }

    private void objectives(PrometheusText text) {
        text.family("hearth_slo_objective_due_total", "counter", "Probes that were due, by objective.");
        for (int place = 0; place < objectives.size(); place++) {
            text.sample(
                    "hearth_slo_objective_due_total",
                    dueByObjective[place],
                    "objective",
                    objectives.get(place).name());
        }
        text.family("hearth_slo_objective_good_total", "counter", "Probes that were answered within the limit.");
        for (int place = 0; place < objectives.size(); place++) {
            text.sample(
                    "hearth_slo_objective_good_total",
                    goodByObjective[place],
                    "objective",
                    objectives.get(place).name());
        }
    }

    /** What is unknown has no sample. */
    private static void status(PrometheusText text, List<ObjectiveStatus> status) {
        text.family(
                BUDGET_LEFT_RATIO,
                "gauge",
                "What is left of the error budget of the objective's days, as a share of it; negative if more was spent.");
        for (ObjectiveStatus one : status) {
            one.budgetLeftShare()
                    .ifPresent(share -> text.sample(
                            BUDGET_LEFT_RATIO,
                            share,
                            "objective",
                            one.objective().name()));
        }
        text.family("hearth_slo_objective_alert", "gauge", "1 while the alert on this burn rate is on, else 0.");
        for (ObjectiveStatus one : status) {
            for (BurnAlert alert : BurnAlert.values()) {
                if (one.alert(alert).state() != State.UNKNOWN) {
                    text.sample(
                            "hearth_slo_objective_alert",
                            one.alert(alert).state() == State.FIRING ? 1 : 0,
                            "objective",
                            one.objective().name(),
                            "alert",
                            alert.toString());
                }
            }
        }
    }
}
