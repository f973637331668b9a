// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.client.PlanExecutor.MoveResult;
import io.hearth.cli.plan.SavedPlan.SavedMove;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/**
 * Tells how a plan is carried out: a line for each move that has ended, and one end, after which nothing is told any more.
 * Thread-safe: the end may come from a signal.
 */
final class ApplyReport {

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean json;
    private final int moves;
    private final Set<SavedMove> told = new HashSet<>();
    private int made;
    private int failed;
    private boolean over;

    ApplyReport(PrintWriter out, PrintWriter err, boolean json, int moves) {
        this.out = out;
        this.err = err;
        this.json = json;
        this.moves = moves;
    }

    /** A move has ended. */
    synchronized void ended(MoveResult moved) {
        if (over) {
            return;
        }
        told.add(moved.move());
        made += moved.failure().isEmpty() ? 1 : 0;
        failed += moved.failure().isPresent() ? 1 : 0;
        if (json) {
            JsonObject line = move(moved.move());
            line.addProperty("made", moved.failure().isEmpty());
            moved.failure().ifPresent(why -> line.addProperty("why", why));
            out.println(line);
        } else {
            out.println(made + failed + "/" + moves + "  " + words(moved.move())
                    + moved.failure().map(why -> "  FAILED: " + why).orElse(""));
        }
        out.flush();
    }

    /** Every move has ended. */
    synchronized ExitCode end() {
        ExitCode code = failed == 0 ? ExitCode.DONE : ExitCode.INCOMPLETE;
        finish("end", Optional.of(code), made + " of " + moves + " moves are made");
        return code;
    }

    /** Nothing was moved, and why. */
    synchronized ExitCode refused(String why) {
        finish("end", Optional.of(ExitCode.STALE_PLAN), why);
        return ExitCode.STALE_PLAN;
    }

    /** A signal ends it: these have begun, and those of them that are in no line have not ended; all others have not begun. */
    synchronized void stopped(Collection<SavedMove> begun) {
        if (over) {
            return;
        }
        List<SavedMove> inProgress =
                begun.stream().filter(move -> !told.contains(move)).toList();
        for (SavedMove move : inProgress) {
            if (json) {
                JsonObject line = move(move);
                line.addProperty("underWay", true);
                out.println(line);
            } else {
                out.println("under way  " + words(move));
            }
        }
        finish(
                "stopped",
                Optional.empty(),
                "stopped: " + made + " of " + moves + " moves are made"
                        + (failed == 0 ? "" : ", " + failed + " failed")
                        + (inProgress.isEmpty()
                                ? ""
                                : ", " + inProgress.size() + " are under way and the master ends them")
                        + ", " + (moves - made - failed - inProgress.size()) + " have not begun and do not any more");
    }

    private static JsonObject move(SavedMove move) {
        JsonObject line = new JsonObject();
        line.addProperty("event", "move");
        line.addProperty("region", move.region());
        line.addProperty("to", move.to());
        return line;
    }

    private static String words(SavedMove move) {
        return move.region() + " of " + move.table() + "  " + move.from() + " -> " + move.to();
    }

    /** @param code empty where the process ends with that of the signal */
    private void finish(String event, Optional<ExitCode> code, String message) {
        over = true;
        if (json) {
            JsonObject line = new JsonObject();
            line.addProperty("event", event);
            code.ifPresent(known -> line.addProperty("exitCode", known.code()));
            line.addProperty("message", message);
            out.println(line);
        } else if (code.equals(Optional.of(ExitCode.DONE))) {
            out.println("Done: " + message);
        } else {
            err.println("hearth balancer apply: " + message);
        }
        out.flush();
        err.flush();
    }
}
