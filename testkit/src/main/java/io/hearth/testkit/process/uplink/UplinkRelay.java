// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.uplink;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * The process that relays Ethernet frames between each rack's bridge and the core's: a frame that leaves a rack is delayed by half of
 * the round trip between two racks, one that comes in is not. Arguments: that delay in microseconds, then for each rack the device on its
 * own bridge and the one on the core's.
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

    /**
     * Frames that are on their way for a fixed time: they come out in the order in which they went in, none too early. When it is full, what goes in
     * is lost, as in any queue of a network. One thread may put, one take.
     *
     * @param <F> a frame
     */
    static final class DelayLine<F> {

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

    /** A TAP device of Linux: what is sent to it is read here frame by frame, and what is written here it receives. One thread may read, one write. */
    private static final class TapDevice {

        static {
            Native.register(TapDevice.class, Platform.C_LIBRARY_NAME);
        }

        private static final int O_RDWR = 2;
        private static final int EIO = 5;
        private static final long TUNSETIFF = 0x400454caL;
        private static final short IFF_TAP = 0x0002;
        private static final short IFF_NO_PI = 0x1000;
        private static final int IFREQ_BYTES = 40;
        private static final int IFREQ_FLAGS = 16;

        private final int descriptor;

        /** Attaches to a device of this name that is there. */
        TapDevice(String name) throws IOException {
            try {
                descriptor = open("/dev/net/tun", O_RDWR);
                ByteBuffer request = ByteBuffer.allocateDirect(IFREQ_BYTES).order(ByteOrder.nativeOrder());
                request.put(name.getBytes(StandardCharsets.US_ASCII));
                request.putShort(IFREQ_FLAGS, (short) (IFF_TAP | IFF_NO_PI));
                request.rewind();
                ioctl(descriptor, TUNSETIFF, request);
            } catch (LastErrorException e) {
                throw new IOException("the TAP device " + name + " can't be had: " + e.getMessage(), e);
            }
        }

        /** Waits for a frame and puts it into the buffer, whose limit is then its end. */
        void read(ByteBuffer buffer) {
            buffer.clear();
            buffer.limit(Math.toIntExact(read(descriptor, buffer, buffer.capacity())));
        }

        /** Writes a frame; while the device is down it is lost, as on any wire. */
        void write(ByteBuffer buffer) {
            try {
                write(descriptor, buffer, buffer.limit());
            } catch (LastErrorException e) {
                if (e.getErrorCode() != EIO) {
                    throw e;
                }
            }
        }

        private static native int open(String path, int flags) throws LastErrorException;

        private static native int ioctl(int descriptor, long request, ByteBuffer argument) throws LastErrorException;

        private static native long read(int descriptor, ByteBuffer buffer, long bytes) throws LastErrorException;

        private static native long write(int descriptor, ByteBuffer buffer, long bytes) throws LastErrorException;
    }
}
