// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.MoveExecutor.MoveAnswer;
import io.hearth.healer.verify.DataNodeObservation.ObserverKind;
import io.hearth.healer.verify.DataNodeObservation.Outcome;
import java.util.List;

/**
 * What the answers to block moves say of the DataNodes that took part. In a move the target is a client of the proxy, and whoever waits
 * for the target sees both together: of a move that is late each says so of the other, and the one of which several say so is the slow
 * one. A failure that has other causes, as a file that was deleted meanwhile, says nothing. Pure.
 */
public final class MoveObservations {

    private static final String ANSWERS = "answers block moves";
    private static final String LATE = "does not answer block moves in time";
    private static final String UNREACHABLE = "can't be connected to";

    private MoveObservations() {}

    /** What this answer says. */
    public static List<DataNodeObservation> of(MoveAnswer answer, long nowMs) {
        String target = answer.target().host();
        String proxy = answer.proxy().host();
        return switch (answer.response()) {
            case COPIED -> ofEachOther(target, proxy, Outcome.GOOD, ANSWERS, nowMs);
            case TIMED_OUT -> ofEachOther(target, proxy, Outcome.SLOW, LATE, nowMs);
            case UNREACHABLE -> List.of(DataNodeObservation.byHealer(target, Outcome.FAILED, UNREACHABLE, nowMs));
            case PROXY_UNREACHABLE ->
                List.of(
                        DataNodeObservation.byHealer(target, Outcome.GOOD, ANSWERS, nowMs),
                        DataNodeObservation.byClient(target, proxy, Outcome.FAILED, UNREACHABLE, nowMs));
            case ALREADY_THERE, BUSY, PROXY_BUSY, REFUSED, NOT_PERMITTED, UNDER_WAY ->
                List.of(DataNodeObservation.byHealer(target, Outcome.GOOD, ANSWERS, nowMs));
            case FAILED -> List.of();
        };
    }

    private static List<DataNodeObservation> ofEachOther(
            String target, String proxy, Outcome outcome, String what, long nowMs) {
        return target.equals(proxy)
                ? List.of()
                : List.of(
                        DataNodeObservation.byClient(proxy, target, outcome, what, nowMs),
                        DataNodeObservation.byClient(target, proxy, outcome, what, nowMs));
    }

    /** One that stays slow with several partners at the lowest rate of block moves that there is. */
    public static DataNodeObservation slowest(DataNode node, long nowMs) {
        return new DataNodeObservation(
                ObserverKind.PARTNERS,
                "its partners in block moves",
                node.host(),
                Outcome.SLOW,
                "is slower than the lowest rate of block moves",
                nowMs);
    }
}
