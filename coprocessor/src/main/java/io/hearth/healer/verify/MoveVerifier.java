// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.spi.FileBlocks;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import io.hearth.healer.throttle.NameNodeBudget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Asks the NameNode about moves until each is settled or its time is over: one call for all the moves of several files, at most one
 * round a second, and as many files as the {@link NameNodeBudget} allows, those first that have waited longest. While the
 * NameNode does not answer, a move is pending, however long that takes; a file that may not be asked about leaves it inconclusive. Not thread-safe.
 */
public final class MoveVerifier {

    private static final long ROUND_MS = 1_000;

    /** Where the budget does not suffice for all files of a second, each is asked about less often, but as often as this. */
    private static final long MOST_SPACING_MS = 8 * ROUND_MS;

    /** A NameNode answers in milliseconds, so that two rounds are a second apart. */
    private static final long AWAY_MS = 5_000;

    /** Both NameNodes are restarted one after the other, and one of them fails. */
    private static final int MOST_LATE_ROUNDS = 3;

    /**
     * A NameNode that has become active follows no hint about a DataNode before that one's whole block report. Mostly confirmed moves say
     * sooner that they have come; after so long a move that goes counts, whatever came.
     */
    private static final long NO_HINTS_MS = 600_000;

    /** HDFS deletes no replica earlier after a copy. */
    private static final long FIRST_ASKED_MS = 2_000;

    /** Longer than HDFS needs: files that do not come to their turn again within so many seconds are too many. */
    static final int BEHIND_SECONDS = 20;

    private final FileBlocks nameNode;
    private final NameNodeBudget budget;
    private final Map<String, Long> askedMsByPath = new HashMap<>();
    private final Set<BlockId> seenAtTarget = new HashSet<>();
    private final Map<BlockId, Long> missingSinceMs = new HashMap<>();
    /** The blocks of open moves that lose a replica for no fault of the move's. */
    private final Set<BlockId> excused = new HashSet<>();

    /** Those of the moves of the last round. */
    private Set<BlockId> blocks = Set.of();

    private Optional<String> answeringNameNode = Optional.empty();

    /** When another NameNode was first seen to answer. */
    private long failoverMs = Long.MIN_VALUE / 2;

    private int verifiedSinceFailover;

    /** So many in a row, with the last one. */
    private int lateRounds;

    /** Since when the NameNode has not answered any call; empty while it does. */
    private Optional<Long> awaySinceMs = Optional.empty();

    private final ExcessReplicaMonitor excess = new ExcessReplicaMonitor();
    private long lastRoundMs = Long.MIN_VALUE / 2;
    private long spacingMs = ROUND_MS;
    private int openFiles;
    private boolean cutShort;

    /** Of the last round, which ended with it: others would fail as well, each after the time that a client tries for. */
    private Optional<Observed.Unknown<StoreFile>> failure = Optional.empty();

    /** @param budget what asking about files may use of the NameNode, beside what others use of it */
    public MoveVerifier(FileBlocks nameNode, NameNodeBudget budget) {
        this.nameNode = nameNode;
        this.budget = budget;
    }

    /** The outcomes of those of these moves that are settled now, by block. */
    public Map<BlockId, MoveOutcome> doWork(List<PendingVerification> moves, long timeoutMs, long nowMs) {
        if (!isDue(nowMs)) {
            return Map.of();
        }
        countLateRound(nowMs);
        lastRoundMs = nowMs;
        forgetAllBut(moves);
        excuseIfNobodyAnswered();
        Map<BlockId, MoveOutcome> outcomes = new TreeMap<>();
        cutShort = false;
        failure = Optional.empty();
        List<List<PendingVerification>> files = nextFiles(moves, nowMs);
        int asked = 0;
        while (asked < files.size() && !cutShort && failure.isEmpty()) {
            cutShort = !budget.mayCall(nowMs);
            if (!cutShort) {
                List<List<PendingVerification>> next =
                        files.subList(asked, Math.min(files.size(), asked + nameNode.filesAtATime()));
                ask(next, timeoutMs, outcomes, nowMs);
                asked += next.size();
            }
        }
        if (failure.isEmpty()) {
            // Others need the NameNode as well: once each file has had its turn, they have theirs.
            spacingMs = cutShort ? Math.min(MOST_SPACING_MS, 2 * spacingMs) : Math.max(ROUND_MS, spacingMs / 2);
        }
        return outcomes;
    }

    /** Whether it is time for the next round. */
    public boolean isDue(long nowMs) {
        return nowMs - lastRoundMs >= ROUND_MS;
    }

    /** Whether the budget did not suffice for all files of the last round: they go before whatever else is to be asked. */
    public boolean wasCutShort() {
        return cutShort;
    }

    /** Why the NameNode could not say anything in the last round; empty where it answered. */
    public Optional<Observed.Unknown<StoreFile>> failure() {
        return failure;
    }

    /** Whether HDFS deletes what moves leave over. */
    public ExcessReplicaMonitor excess() {
        return excess;
    }

    /** Whether more files wait than can be asked about in good time, so that no further moves should be made for now. */
    public boolean isBehind() {
        return openFiles > BEHIND_SECONDS * budget.callsPerSecond() * nameNode.filesAtATime();
    }

    private void countLateRound(long nowMs) {
        boolean isLate = !blocks.isEmpty() && failure.isEmpty() && nowMs - lastRoundMs >= AWAY_MS;
        lateRounds = isLate ? lateRounds + 1 : 0;
    }

    /**
     * A client waits through a failover and then has its answer: that the NameNode was away shows by the time alone, and what was copied
     * meanwhile has lost its hint as well. Where round after round is late it is slow and not away.
     */
    private void excuseIfNobodyAnswered() {
        if (lateRounds > 0 && lateRounds <= MOST_LATE_ROUNDS) {
            excused.addAll(blocks);
        }
    }

    /** A failover on command takes a second, so that the time does not tell; and it is not over for moves when it is for clients. */
    private void excuseIfAnotherAnswers(long nowMs) {
        Optional<String> before = answeringNameNode;
        answeringNameNode = nameNode.answeringNameNode();
        if (before.isPresent() && !before.equals(answeringNameNode)) {
            failoverMs = nowMs;
            verifiedSinceFailover = 0;
        }
        if (nowMs - failoverMs < NO_HINTS_MS && verifiedSinceFailover < ExcessReplicaMonitor.GOOD_SIGNS) {
            excused.addAll(blocks);
        }
    }

    /** What was seen of one move says nothing about the next one of the block. */
    private void forgetAllBut(List<PendingVerification> moves) {
        blocks = moves.stream().map(pending -> pending.move().block()).collect(Collectors.toUnmodifiableSet());
        seenAtTarget.retainAll(blocks);
        missingSinceMs.keySet().retainAll(blocks);
        excused.retainAll(blocks);
    }

    private List<List<PendingVerification>> nextFiles(List<PendingVerification> moves, long nowMs) {
        Map<String, List<PendingVerification>> movesByPath = new TreeMap<>();
        for (PendingVerification pending : moves) {
            movesByPath
                    .computeIfAbsent(pending.move().filePath(), path -> new ArrayList<>())
                    .add(pending);
        }
        askedMsByPath.keySet().retainAll(movesByPath.keySet());
        openFiles = movesByPath.size();
        return movesByPath.values().stream()
                .filter(ofOneFile -> nowMs - sinceMs(ofOneFile) >= FIRST_ASKED_MS)
                .filter(ofOneFile -> nowMs - askedMs(ofOneFile) >= spacingMs)
                .sorted(Comparator.comparingLong(this::waitsSinceMs))
                .toList();
    }

    /** Since the last question, or since the last copy: HDFS is done soonest with a file that nothing was copied of for longest. */
    private long waitsSinceMs(List<PendingVerification> ofOneFile) {
        long copiedMs =
                ofOneFile.stream().mapToLong(PendingVerification::sinceMs).max().orElseThrow();
        return Math.max(askedMs(ofOneFile), copiedMs);
    }

    private long askedMs(List<PendingVerification> ofOneFile) {
        return askedMsByPath.getOrDefault(ofOneFile.get(0).move().filePath(), Long.MIN_VALUE / 2);
    }

    private static long sinceMs(List<PendingVerification> ofOneFile) {
        return ofOneFile.stream().mapToLong(PendingVerification::sinceMs).min().orElseThrow();
    }

    private void ask(
            List<List<PendingVerification>> movesByFile,
            long timeoutMs,
            Map<BlockId, MoveOutcome> outcomes,
            long nowMs) {
        List<String> paths = movesByFile.stream()
                .map(ofOneFile -> ofOneFile.get(0).move().filePath())
                .toList();
        paths.forEach(path -> askedMsByPath.put(path, nowMs));
        List<Observed<StoreFile>> answers = nameNode.locateAll(paths);
        excuseIfAnotherAnswers(nowMs);
        noteWhetherAway(answers, nowMs);
        for (int file = 0; file < paths.size(); file++) {
            settle(movesByFile.get(file), answers.get(file), timeoutMs, outcomes, nowMs);
        }
    }

    private void settle(
            List<PendingVerification> ofOneFile,
            Observed<StoreFile> file,
            long timeoutMs,
            Map<BlockId, MoveOutcome> outcomes,
            long nowMs) {
        for (PendingVerification pending : ofOneFile) {
            BlockId block = pending.move().block();
            if (file instanceof Observed.Gone<StoreFile>) {
                outcomes.put(block, MoveOutcome.BLOCK_DELETED);
            } else if (file instanceof Observed.Known<StoreFile> known) {
                MoveOutcome outcome = outcome(pending, known.value(), timeoutMs, nowMs);
                if (outcome != MoveOutcome.PENDING) {
                    outcomes.put(block, outcome);
                }
            } else {
                missingSinceMs.remove(block);
                excused.add(block);
                boolean isAnswered = file instanceof Observed.Unknown<StoreFile> unknown
                        && unknown.reason() != UnknownReason.NAMENODE_FAILED;
                if (isAnswered && nowMs - pending.sinceMs() >= timeoutMs) {
                    outcomes.put(block, MoveOutcome.INCONCLUSIVE);
                }
            }
        }
    }

    /**
     * A NameNode that was away, for as long as a restart takes at least, knows nothing of any move that is open when it answers again. One
     * call that fails says nothing of other files; nor does what may not be asked, or can't be read.
     */
    private void noteWhetherAway(List<Observed<StoreFile>> answers, long nowMs) {
        failure = answers.stream()
                .flatMap(answer ->
                        answer instanceof Observed.Unknown<StoreFile> unknown ? Stream.of(unknown) : Stream.empty())
                .filter(unknown -> unknown.reason() == UnknownReason.NAMENODE_FAILED)
                .findFirst();
        if (failure.isPresent()) {
            awaySinceMs = awaySinceMs.or(() -> Optional.of(nowMs));
        } else if (!answers.isEmpty()) {
            if (awaySinceMs.filter(since -> nowMs - since >= AWAY_MS).isPresent()) {
                missingSinceMs.clear();
                excused.addAll(blocks);
            }
            awaySinceMs = Optional.empty();
        }
    }

    private MoveOutcome outcome(PendingVerification pending, StoreFile file, long timeoutMs, long nowMs) {
        BlockId block = pending.move().block();
        if (MoveOutcome.isMissing(pending.move(), file)) {
            missingSinceMs.putIfAbsent(block, nowMs);
        } else {
            missingSinceMs.remove(block);
        }
        if (file.replication() != pending.move().replication() || MoveOutcome.isShort(pending.move(), file)) {
            excused.add(block);
        }
        long missingMs = nowMs - missingSinceMs.getOrDefault(block, nowMs);
        boolean isLast = nowMs - pending.sinceMs() >= timeoutMs;
        // The replica may have come and gone again between two answers, where nobody has to answer for that.
        boolean wasAtTarget = seenAtTarget.contains(block) || (pending.copied() && excused.contains(block));
        MoveOutcome outcome = MoveOutcome.of(pending, file, wasAtTarget, missingMs, isLast);
        if (MoveOutcome.isAtTarget(pending.move(), file)) {
            seenAtTarget.add(block);
        }
        excess.note(pending, MoveOutcome.isInExcess(pending.move(), file), timeoutMs, nowMs);
        if (outcome == MoveOutcome.VERIFIED) {
            excess.moveVerified();
            verifiedSinceFailover += pending.turnMs() > failoverMs ? 1 : 0;
        }
        // A NameNode that was away has lost the hint, and may delete any replica; so it may after a setrep, which may
        // have been taken back meanwhile, and where a block is short. Nobody undoes moves on purpose.
        return outcome == MoveOutcome.REVERTED && excused.contains(block) ? MoveOutcome.INCONCLUSIVE : outcome;
    }

    /**
     * Notices that the NameNode does not delete the replicas that moves leave over: after a failover it deletes none of a DataNode's
     * until that DataNode has sent a whole block report, which can take hours, and then follows no hint that was given before. Moves
     * made meanwhile only add replicas.
     *
     * <p>From {@value #MANY} blocks on that keep more replicas than wanted for three quarters of the time allowed it holds, until
     * {@value #GOOD_SIGNS} moves in a row are confirmed, or nothing was late for {@value #FORGET_MS} ms. HDFS needs 15 seconds, and
     * longer with a deletion delay on the DataNodes, which is to be below the time allowed. Not thread-safe.
     */
    public static final class ExcessReplicaMonitor {

        static final int MANY = 8;
        static final int GOOD_SIGNS = 3;
        static final long FORGET_MS = 600_000;

        private final Map<BlockId, Long> lateMsByBlock = new HashMap<>();
        private int goodSigns;

        /**
         * Takes in what the NameNode says of an open move.
         *
         * @param timeoutMs the time allowed
         */
        void note(PendingVerification pending, boolean isInExcess, long timeoutMs, long nowMs) {
            if (!isInExcess) {
                lateMsByBlock.remove(pending.move().block());
            } else if (nowMs - pending.sinceMs() >= timeoutMs / 4 * 3) {
                lateMsByBlock.put(pending.move().block(), nowMs);
                goodSigns = 0;
            }
        }

        /** A move was confirmed. */
        void moveVerified() {
            goodSigns++;
            if (goodSigns >= GOOD_SIGNS) {
                lateMsByBlock.clear();
            }
        }

        /** The blocks that keep more replicas than wanted, as far as is remembered. */
        public int blocks(long nowMs) {
            lateMsByBlock.values().removeIf(lateMs -> nowMs - lateMs > FORGET_MS);
            return lateMsByBlock.size();
        }

        /** Whether there are so many that moves should wait. */
        public boolean shouldHoldMoves(long nowMs) {
            return blocks(nowMs) >= MANY;
        }
    }

    /**
     * A move of which the NameNode has not said how it ended. Immutable.
     *
     * @param copied whether the DataNode says that it has copied the block; if not, it may still be at it
     * @param turnMs when the turn began in which that was taken in: only a move of a later turn is surely made after what that turn saw
     * @param sinceMs since when the NameNode is asked: from the end of that turn on, where it took long
     */
    public record PendingVerification(BlockMove move, boolean copied, long turnMs, long sinceMs) {}
}
