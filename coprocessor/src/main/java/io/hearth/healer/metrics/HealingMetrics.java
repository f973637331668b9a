// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.metrics;

import io.hearth.common.model.NamedMetric;
import io.hearth.healer.model.SkipReason;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Where healing says what it did and how it stands. Thread-safe; never throws. */
public interface HealingMetrics {

    void add(HealingCounter counter, long count);

    /** So many blocks or files stayed where they are for this reason; those listed again are counted again. */
    void addSkipped(SkipReason reason, long count);

    void set(HealingGauge gauge, long value);

    /** What healing counts, from the start of the master. The name is the metric's name in {@code /jmx}. */
    enum HealingCounter implements NamedMetric {
        POLLS("polls", "Polls of assignments and reported locality."),
        REGIONS_LISTED("regionsListed", "Regions whose store files and blocks were listed at the NameNode."),
        REGIONS_FOUND_LOCAL("regionsFoundLocal", "Listed regions whose blocks were all local."),
        REGIONS_LOCALITY_STALE(
                "regionsLocalityStale", "Regions reported local that the balancer's locality cache found remote."),
        REGIONS_RECHECKED(
                "regionsRechecked", "Healed regions listed again within a day because a DataNode left or came."),
        REGIONS_HEALED("regionsHealed", "Regions made local, but for blocks that can't be moved."),
        BLOCKS_PLANNED("blocksPlanned", "Blocks for which a replica move was planned."),
        BYTES_PLANNED("bytesPlanned", "Bytes of those blocks."),
        BLOCKS_VERIFIED(
                "blocksVerified",
                "Blocks that the NameNode confirms: local, with as many replicas and racks as before."),
        BYTES_VERIFIED("bytesVerified", "Bytes of those blocks."),
        BYTES_ACROSS_RACKS("bytesAcrossRacks", "Bytes of moves copied from another rack."),
        BLOCKS_FAILED("blocksFailed", "Moves that DataNodes could not or would not make, after all attempts."),
        BLOCKS_REVERTED(
                "blocksReverted", "Reverted moves: the NameNode deleted the new replica instead of the old one."),
        BLOCKS_REVERTED_AFTER_VERIFY("blocksRevertedAfterVerify", "Moves reverted after verification."),
        BLOCKS_BACKED_OFF("blocksBackedOff", "Planned moves backed off after similar ones were reverted."),
        REVERT_ALARMS("revertAlarms", "Times that healing stopped because too many moves were reverted."),
        ALARMS_CLEARED("alarmsCleared", "Times that such an alarm cleared itself after an hour."),
        BLOCKS_DELETED("blocksDeleted", "Moves whose file or block was deleted meanwhile."),
        BLOCKS_INCONCLUSIVE("blocksInconclusive", "Moves that the NameNode did not confirm in time."),
        BLOCKS_CANCELLED("blocksCancelled", "Planned moves not started: switched off, or the region left its server."),
        MOVES_BUSY("movesBusy", "Answers of DataNodes that make as many moves as they allow; tried again."),
        MOVES_RETRIED("movesRetried", "Failed attempts made again with another proxy."),
        THROTTLED("throttled", "Times that the rate was halved under pressure."),
        BLOCKS_ADVISED("blocksAdvised", "Blocks whose move was planned in advise mode; planned again, counted again."),
        BYTES_ADVISED("bytesAdvised", "Bytes of those blocks."),
        REGIONS_REPORTED("regionsReported", "Healed regions whose server reports the new locality."),
        REGIONS_UNREPORTED("regionsUnreported", "Healed regions whose server did not report it within an hour."),
        COMPACTIONS_REQUESTED("compactionsRequested", "Column families whose major compaction the fallback requested."),
        COMPACTION_BYTES("compactionBytes", "Bytes of those column families."),
        REGIONS_UNREADABLE("regionsUnreadable", "Regions whose files the NameNode would not list, though it answers."),
        ATTEMPTS_FAILED("attemptsFailed", "Attempts at a region that ended in a failure of healing's own."),
        REGIONS_QUARANTINED(
                "regionsQuarantined",
                "Times that a region was left alone for an hour after three such attempts in a row."),
        NAMENODE_CALLS("nameNodeCalls", "Calls for listing and verification."),
        NAMENODE_MS("nameNodeMs", "Milliseconds that those calls took, 100 each at most."),
        NAMENODE_FAILURES("nameNodeFailures", "Calls that the NameNode did not answer."),
        PRIVILEGE_MISSING("privilegeMissing", "Times that the privilege to move was missing."),
        HOOK_FAILURES("hookFailures", "Failures in the HMaster's hooks, all caught."),
        LOOP_FAILURES("loopFailures", "Failures of the healing loop, which starts again after each."),
        CONFIG_PROBLEMS("configProblems", "Keys or table values that can't be used, each counted once."),
        LOCK_LOST("lockLost", "Times that this healer lost its lock while it worked."),
        LOCK_FAILURES("lockFailures", "Calls about that lock that the NameNode did not answer.");

        private final MetricText text;

        HealingCounter(String metric, String doc) {
            text = new MetricText(metric, doc);
        }

        @Override
        public MetricText text() {
            return text;
        }
    }

    /** What healing measures just now. The name is the metric's name in {@code /jmx}. */
    enum HealingGauge implements NamedMetric {
        ENABLED("enabled", "1 if replicas are moved; 0 if switched off, paused, outside of the windows, or advising."),
        PAUSED("paused", "1 if somebody paused healing."),
        ALARMED("alarmed", "1 if an alarm stopped healing."),
        SLOW_AFTER_ALARM("slowAfterAlarm", "1 if healing runs at a quarter of its rate after such an alarm."),
        BRAKED("braked", "1 if an SLO watch brakes."),
        OUTSIDE_WINDOWS("outsideWindows", "1 if no move may start at this time."),
        BYTES_PER_SECOND("bytesPerSecond", "Rate at which bytes of moves may be started."),
        LOWEST_RATE_PERCENT(
                "lowestRatePercent",
                "Lowest rate of a DataNode that healed within ten minutes, in percent of its limit; 0 if none did."),
        THROTTLE_REASONS("throttleReasons", "Number of different reasons to go slower."),
        LIMITED_BY("limitedBy", "What keeps the next move from starting, as a number. " + limits() + "."),
        LAST_HEAL_MS("lastHealMs", "Time from finding the region healed last to its server's report."),
        REGIONS_AWAITING_REPORT(
                "regionsAwaitingReport", "Healed regions whose server has not reported the new locality."),
        REGIONS_LOCAL_NOT_REPORTED(
                "regionsLocalNotReported",
                "Regions that the NameNode confirms local and whose servers report less; reopening corrects it."),
        REGIONS_QUEUED("regionsQueued", "Regions that wait, or whose moves have not all ended."),
        BLOCKS_WAITING("blocksWaiting", "Planned moves not started."),
        BLOCKS_IN_FLIGHT("blocksInFlight", "Moves started and not yet confirmed."),
        POLL_MS("pollMs", "Time of the last poll."),
        ESTIMATED_HEAL_MS("estimatedHealMs", "Estimated time until the queue's regions are healed."),
        WAITS_FOR_LOCK(
                "waitsForLock", "1 if there is work and another healer has the lock, or its holder is not known."),
        DATANODES_SUSPECT("dataNodesSuspect", "Hosts whose DataNode is suspect."),
        DATANODES_DEAD("dataNodesDead", "Hosts whose DataNode is dead."),
        DATANODES_PROBING("dataNodesProbing", "Hosts whose DataNode is used again, on probation."),
        BLOCKS_IN_EXCESS("blocksInExcess", "Moved blocks with more replicas than wanted.");

        private final MetricText text;

        private static String limits() {
            return Arrays.stream(HealLimit.values())
                    .map(limit -> limit.ordinal() + ": " + limit.label())
                    .collect(Collectors.joining(". "));
        }

        HealingGauge(String metric, String doc) {
            text = new MetricText(metric, doc);
        }

        @Override
        public MetricText text() {
            return text;
        }
    }
}
