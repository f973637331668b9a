// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.core.HealerServices.DataNodeProber;
import io.hearth.healer.core.HealerServices.DataNodeProber.Answer;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.verify.DataNodeObservation;
import io.hearth.healer.verify.DataNodeObservation.Outcome;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Has each DataNode that is doubted asked every {@value #EVERY_MS} ms whether it serves: who avoids it does not see that it is back. At
 * most {@value #AT_ONCE} are waited for at a time, those first that were asked longest ago. Not thread-safe.
 */
final class SuspectProber {

    /** Half of the time for which a failure counts against the word of others. */
    static final long EVERY_MS = 30_000;

    static final int AT_ONCE = 8;

    /** One that has not been answered by then is waited for no longer; a prober's own limits are shorter. */
    private static final long LOST_MS = 60_000;

    private static final long NEVER_MS = Long.MIN_VALUE / 2;

    private record Probe(long askedMs, boolean isAwaited) {}

    private final DataNodeProber prober;
    private final Map<String, Probe> lastByHost = new HashMap<>();

    SuspectProber(DataNodeProber prober) {
        this.prober = prober;
    }

    /** Asks those of these hosts whose turn it is; returns what was answered since the last time. */
    List<DataNodeObservation> probe(Collection<DataNode> doubted, long nowMs) {
        lastByHost.values().removeIf(last -> nowMs - last.askedMs() >= LOST_MS);
        long awaited = lastByHost.values().stream().filter(Probe::isAwaited).count();
        List<DataNode> due = doubted.stream()
                .filter(node -> nowMs - askedMs(node) >= EVERY_MS && !isAwaited(node))
                .sorted(Comparator.comparingLong(this::askedMs).thenComparing(DataNode::host))
                .limit(Math.max(0, AT_ONCE - awaited))
                .toList();
        due.forEach(node -> lastByHost.put(node.host(), new Probe(nowMs, true)));
        List<Answer> answers = prober.takeAnswers(due);
        answers.forEach(answer ->
                lastByHost.computeIfPresent(answer.node().host(), (host, asked) -> new Probe(asked.askedMs(), false)));
        return answers.stream().map(answer -> observation(answer, nowMs)).toList();
    }

    private long askedMs(DataNode node) {
        Probe last = lastByHost.get(node.host());
        return last == null ? NEVER_MS : last.askedMs();
    }

    private boolean isAwaited(DataNode node) {
        Probe last = lastByHost.get(node.host());
        return last != null && last.isAwaited();
    }

    private static DataNodeObservation observation(Answer answer, long nowMs) {
        return DataNodeObservation.byHealer(
                answer.node().host(),
                answer.serves() ? Outcome.GOOD : Outcome.FAILED,
                answer.serves() ? "answers" : "does not answer",
                nowMs - answer.ageMs());
    }
}
