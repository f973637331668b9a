// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.fakes.FakeHdfs;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.BlockMover;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.move.MoveExecutor.MoveThreadPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;

/**
 * DataNodes of which a seed decides what they do and what they say: they copy or don't, at once, late or after we hung up, and
 * they answer truly, falsely, late or never. Each call waits on a thread of its own until the test's clock has come to its
 * answer, and threads meet only at a rendezvous, so that a seed always gives the same run.
 */
final class FaultyDataNodes implements BlockMover, MoveThreadPool {

    private static final MoveResult THROWS = new MoveResult(Response.FAILED, "throws");

    /** One call. */
    private static final class Call {

        private final BlockMove move;
        private final Thread thread;
        private final BlockingQueue<MoveResult> response = new LinkedBlockingQueue<>();
        private long copyMs = Long.MAX_VALUE;
        private long answerMs;
        private MoveResult result = THROWS;
        private boolean copied;
        private boolean answered;

        private Call(BlockMove move, Thread thread) {
            this.move = move;
            this.thread = thread;
        }

        private boolean isUnderWay(BlockId block) {
            return move.block().equals(block) && !answered && !copied;
        }
    }

    private final FakeHdfs hdfs;
    private final Random random;
    private final BlockingQueue<Call> arrived = new LinkedBlockingQueue<>();
    private final List<Call> calls = new ArrayList<>();
    boolean faulty = true;
    /** Blocks of which a second move was asked for though nobody could know how the first would end. */
    final List<BlockId> movedTwice = new ArrayList<>();

    int asked;
    private long nowMs;

    FaultyDataNodes(FakeHdfs hdfs, Random random) {
        this.hdfs = hdfs;
        this.random = random;
    }

    @Override
    public void run(Runnable task) {
        if (faulty && random.nextInt(20) == 0) {
            throw new RejectedExecutionException("no more threads");
        }
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        Call call = take(arrived);
        if (calls.stream().anyMatch(other -> other.isUnderWay(call.move.block()))) {
            movedTwice.add(call.move.block());
        }
        asked++;
        decide(call);
        if (isThere(call.move)) {
            // Whatever it says, a DataNode that has the replica copies nothing.
            call.copied = true;
        }
        calls.add(call);
    }

    @Override
    public MoveResult move(BlockMove move, DataNode proxy, long listenMs) {
        Call call = new Call(move, Thread.currentThread());
        arrived.add(call);
        MoveResult result = take(call.response);
        if (result.equals(THROWS)) {
            throw new IllegalStateException("a DataNode's answer that nobody foresaw");
        }
        return result;
    }

    @Override
    public Optional<String> missingPrivilege() {
        return Optional.empty();
    }

    /** Copies and answers what is due. */
    void advance(long toMs) throws InterruptedException {
        nowMs = toMs;
        for (Call call : List.copyOf(calls)) {
            if (call.copyMs <= nowMs && !call.copied) {
                call.copied = true;
                copy(call.move);
            }
            if (call.answerMs <= nowMs && !call.answered) {
                call.answered = true;
                call.response.add(call.result);
                call.thread.join();
            }
        }
        calls.removeIf(call -> call.answered && (call.copied || call.copyMs == Long.MAX_VALUE));
    }

    int open() {
        return calls.size();
    }

    private void copy(BlockMove move) {
        if (!isThere(move)) {
            hdfs.copy(move);
        }
    }

    private boolean isThere(BlockMove move) {
        return Optional.ofNullable(hdfs.fileByPath.get(move.filePath())).stream()
                .flatMap(file -> file.blocks().stream())
                .anyMatch(block -> block.block().equals(move.block())
                        && block.isHeldBy(move.target().id()));
    }

    /** Moves time out after 30 s, and nobody listens for longer than 90 s. */
    private void decide(Call call) {
        long soonMs = nowMs + random.nextInt(2_000);
        long lateMs = nowMs + 30_000 + random.nextInt(59_000);
        call.copyMs = soonMs;
        call.answerMs = soonMs;
        call.result = MoveResult.of(Response.COPIED);
        switch (faulty ? random.nextInt(12) : 0) {
            case 1 -> call.answerMs = lateMs;
            case 2 -> {
                call.copyMs = lateMs;
                call.answerMs = lateMs;
            }
            case 3 -> lost(call, soonMs);
            case 4 -> lost(call, Long.MAX_VALUE);
            case 5 -> call.copyMs = Long.MAX_VALUE;
            case 6 -> call.result = MoveResult.of(Response.FAILED);
            case 7 -> says(call, MoveResult.of(Response.ALREADY_THERE));
            case 8 -> says(call, MoveResult.of(Response.BUSY));
            case 9 -> says(call, MoveResult.of(Response.REFUSED));
            case 10 -> says(call, THROWS);
            case 11 -> {
                says(call, MoveResult.of(Response.FAILED));
                call.answerMs = lateMs;
            }
            default -> {}
        }
    }

    private void lost(Call call, long copyMs) {
        call.copyMs = copyMs;
        call.answerMs = nowMs + 89_000;
        call.result = MoveResult.of(Response.TIMED_OUT);
    }

    private static void says(Call call, MoveResult result) {
        call.copyMs = Long.MAX_VALUE;
        call.result = result;
    }

    private static <T> T take(BlockingQueue<T> queue) {
        try {
            return queue.take();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
