package io.hearth.balancer.ingest;

import io.hearth.balancer.load.ServerId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which of the servers' reports are news, whatever order and number they come in.
 *
 * <ul>
 *   <li>A report that is not newer than the last one of its server is dropped. Where two in a row are so much older
 *       ({@value #CLOCK_STEP_MS} ms) and one newer than the other, the server's clock was set back.
 *   <li>Where the time between two reports is far from the time that went by here, a clock was set: the server's or ours.
 * </ul>
 *
 * After a clock was set the server has a new {@link ServerRun}, and every counter on it starts again with a first look. Not
 * thread-safe.
 */
public final class ReportIntake {

    /** A report this much older than the last of its server may mean that the clock was set back, in milliseconds. */
    static final long CLOCK_STEP_MS = 60_000;

    /** Report time may differ from ours by this much and be no step: a report is a few seconds old; milliseconds. */
    static final long CLOCK_TOLERANCE_MS = 5_000;

    private final Map<ServerId, ServerRun> runByServer = new HashMap<>();

    /**
     * The run that this report belongs to, or empty where it is no news.
     *
     * @param nowMs our own time, in milliseconds
     */
    public Optional<ServerRun> accept(ServerReport report, long nowMs) {
        long reportMs = report.reportTimeMs();
        ServerRun run = runByServer.get(report.server());
        if (run == null) {
            return Optional.of(start(report, nowMs));
        }
        boolean goesOn = run.isNewer(reportMs);
        if (goesOn ? !run.wentOnAsTimeDid(reportMs, nowMs) : run.wasSetBack(reportMs)) {
            run.end();
            return Optional.of(start(report, nowMs));
        }
        if (!goesOn) {
            return Optional.empty();
        }
        run.goOn(reportMs, nowMs);
        return Optional.of(run);
    }

    /** Forgets every server that is not among these; what it served is followed where it appears next. */
    public void retainServers(Set<ServerId> live) {
        runByServer.values().removeIf(run -> {
            boolean isGone = !live.contains(run.server());
            if (isGone) {
                run.end();
            }
            return isGone;
        });
    }

    private ServerRun start(ServerReport report, long nowMs) {
        ServerRun run = new ServerRun(report.server(), report.reportTimeMs(), nowMs);
        runByServer.put(report.server(), run);
        return run;
    }
}
