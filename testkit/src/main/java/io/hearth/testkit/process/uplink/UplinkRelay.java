package io.hearth.testkit.process.uplink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * The process that is every rack's uplink: what leaves a rack is held back for half of the round trip between two racks, what comes in is
 * not. Arguments: that half in microseconds, then for each rack the device on its own bridge and the one on the core's.
 */
public final class UplinkRelay {

    /** A frame of the devices' MTU with its header. */
    private static final int FRAME_BYTES = 1 << 16;

    private static final int MOST_FRAMES = 4_096;

    private final TapDevice rack;
    private final TapDevice core;
    private final DelayLine<ByteBuffer> out;
    private final Queue<ByteBuffer> unused = new ConcurrentLinkedQueue<>();

    private UplinkRelay(TapDevice rack, TapDevice core, long delayNanos) {
        this.rack = rack;
        this.core = core;
        this.out = new DelayLine<>(delayNanos, MOST_FRAMES);
    }

    public static void main(String[] args) throws IOException {
        long delayNanos = TimeUnit.MICROSECONDS.toNanos(Long.parseLong(args[0]));
        for (int i = 1; i < args.length; i += 2) {
            UplinkRelay relay = new UplinkRelay(new TapDevice(args[i]), new TapDevice(args[i + 1]), delayNanos);
            start(args[i] + "-in", relay::hold);
            start(args[i] + "-out", relay::release);
            start(args[i + 1], relay::receive);
        }
    }

    @FunctionalInterface
    private interface Step {
        void once() throws InterruptedException;
    }

    /** Goes on until it fails, and then all ends: half an uplink is none. */
    private static void start(String name, Step step) {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (true) {
                            step.once();
                        }
                    } catch (InterruptedException | RuntimeException e) {
                        e.printStackTrace();
                        Runtime.getRuntime().halt(1);
                    }
                },
                name);
        thread.start();
    }

    private void hold() {
        ByteBuffer frame = frame();
        rack.read(frame);
        if (!out.put(frame, System.nanoTime())) {
            unused.add(frame);
        }
    }

    private void release() throws InterruptedException {
        out.take(frame -> {
            core.write(frame);
            unused.add(frame);
        });
    }

    private void receive() {
        ByteBuffer frame = frame();
        core.read(frame);
        rack.write(frame);
        unused.add(frame);
    }

    private ByteBuffer frame() {
        ByteBuffer frame = unused.poll();
        return frame == null ? ByteBuffer.allocateDirect(FRAME_BYTES) : frame;
    }
}
