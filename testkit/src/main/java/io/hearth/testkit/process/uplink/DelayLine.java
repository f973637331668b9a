package io.hearth.testkit.process.uplink;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Frames that are on their way for a fixed time: they come out in the order in which they went in, none too early. When it is full, what goes in
 * is lost, as in any queue of a network. One thread may put, one take.
 *
 * @param <F> a frame
 */
final class DelayLine<F> {

    private record DelayedFrame<F>(F frame, long dueNanos) {}

    private final BlockingQueue<DelayedFrame<F>> frames;
    private final long delayNanos;

    DelayLine(long delayNanos, int mostFrames) {
        this.delayNanos = delayNanos;
        this.frames = new ArrayBlockingQueue<>(mostFrames);
    }

    /** Takes a frame in; returns whether there was room. */
    boolean put(F frame, long nowNanos) {
        return frames.offer(new DelayedFrame<>(frame, nowNanos + delayNanos));
    }

    /** Hands the next frame over once its time has come. */
    void take(Consumer<F> out) throws InterruptedException {
        DelayedFrame<F> next = frames.take();
        long ahead = next.dueNanos() - System.nanoTime();
        while (ahead > 0) {
            LockSupport.parkNanos(ahead);
            ahead = next.dueNanos() - System.nanoTime();
        }
        out.accept(next.frame());
    }
}
