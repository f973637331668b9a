package io.hearth.healing.metrics;

/** What healing counts, from the start of the master. The name is the metric's name in {@code /jmx}. */
public enum HealingCounter {
    LOOKS("looks", "Looks at assignments and reported locality."),
    REGIONS_LISTED("regionsListed", "Regions whose store files and blocks the NameNode was asked for."),
    REGIONS_FOUND_LOCAL("regionsFoundLocal", "Listed regions whose blocks were all local by the NameNode's word."),
    REGIONS_DOUBTED(
            "regionsDoubted",
            "Regions listed because the balancer's locality cache found them away, though their server reports them local."),
    REGIONS_ASKED_AGAIN(
            "regionsAskedAgain",
            "Regions healed within a day that were listed again because a DataNode that can undo it left or came."),
    REGIONS_HEALED(
            "regionsHealed",
            "Regions whose blocks were not all local and are after verified moves, but for those that can't be moved."),
    BLOCKS_PLANNED("blocksPlanned", "Blocks for which a replica move was planned."),
    BYTES_PLANNED("bytesPlanned", "Bytes of those blocks."),
    BLOCKS_VERIFIED(
            "blocksVerified", "Blocks that the NameNode confirms: local, with as many replicas and racks as before."),
    BYTES_VERIFIED("bytesVerified", "Bytes of those blocks."),
    BLOCKS_FAILED("blocksFailed", "Moves that DataNodes could not or would not make, after all attempts."),
    BLOCKS_BOUNCED("blocksBounced", "Moves whose new replica the NameNode deleted instead of the old one."),
    BLOCKS_UNDONE(
            "blocksUndone",
            "Moves that the NameNode had confirmed and whose new replica was later found moved away or deleted, though its"
                    + " DataNode and volumes were well and the file's replication is unchanged."),
    BLOCKS_HELD_BACK(
            "blocksHeldBack", "Planned moves not taken up because moves like them were undone a short while ago."),
    BOUNCE_ALARMS("bounceAlarms", "Times that healing stopped because too many moves were undone."),
    ALARMS_LIFTED(
            "alarmsLifted",
            "Times that healing went on by itself after such an alarm and an hour without an undone move."),
    BLOCKS_GONE("blocksGone", "Moves whose file or block was deleted meanwhile, by a compaction or with its table."),
    BLOCKS_INCONCLUSIVE("blocksInconclusive", "Moves that the NameNode did not confirm in time."),
    BLOCKS_CANCELLED("blocksCancelled", "Planned moves not started: switched off, or the region left its server."),
    MOVES_BUSY(
            "movesBusy",
            "Answers of DataNodes that already made as many moves as they allow; the move was tried again."),
    MOVES_RETRIED("movesRetried", "Attempts at a move that failed and were made again with another proxy."),
    THROTTLED("throttled", "Times that the rate was halved under pressure."),
    BLOCKS_ADVISED(
            "blocksAdvised",
            "Blocks whose move was planned and, in shadow mode, not made; planned again, counted again."),
    BYTES_ADVISED("bytesAdvised", "Bytes of those blocks."),
    REGIONS_REPORTED("regionsReported", "Healed regions whose server reports the new locality."),
    REGIONS_UNREPORTED(
            "regionsUnreported", "Healed regions whose server did not report the new locality within an hour."),
    COMPACTIONS_ASKED(
            "compactionsAsked",
            "Column families whose major compaction was asked for since their blocks can't be moved."),
    COMPACTION_BYTES("compactionBytes", "Bytes of those column families."),
    REGIONS_UNREADABLE(
            "regionsUnreadable",
            "Looks at regions whose files the NameNode would not list, though it answers: for want of permission, or for"
                    + " something in them."),
    LOOKS_BROKEN_OFF(
            "looksBrokenOff", "Looks at regions that a failure of healing's own broke off: something in their files."),
    REGIONS_PUT_ASIDE(
            "regionsPutAside", "Times that a region was left alone for an hour after three such looks in a row."),
    NAMENODE_FAILURES("nameNodeFailures", "Questions that the NameNode did not answer."),
    PRIVILEGE_MISSING("privilegeMissing", "Times that nothing was planned because the privilege to move is missing."),
    HOOK_FAILURES("hookFailures", "Failures in the master's hooks, all of them caught."),
    LOOP_FAILURES("loopFailures", "Failures of the healing loop, which starts afresh after each."),
    CONFIG_PROBLEMS(
            "configProblems", "Keys or table values that could not be used or have an old name, each counted once."),
    LOCK_LOST("lockLost", "Times that this healer lost the lock that keeps two healers apart, while it worked."),
    LOCK_FAILURES("lockFailures", "Questions about that lock that the NameNode did not answer.");

    private final String metric;
    private final String doc;

    HealingCounter(String metric, String doc) {
        this.metric = metric;
        this.doc = doc;
    }

    public String metric() {
        return metric;
    }

    public String doc() {
        return doc;
    }
}
